import { access, openAtRate } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errorRef, errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { createdTokenResponse, toToken } from "../tokens/schema.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

/** The device flow of RFC 8628, with the names and error bodies of this API. */
export const deviceLogins = new Router<ManagementEnv>("Device logins");

deviceLogins.endpoint(
  "POST /",
  {
    operationId: "beginDeviceLogin",
    summary: "Begin a login on a device without a browser",
    description:
      "Follows RFC 8628. Show the user `userCode` and `verificationUri`, or open `verificationUriComplete`, " +
      "and poll `POST /api/v1/auth/device/token`. At most 50 logins of a network are open at a time. " +
      "When 5,000 logins of all networks wait for a user, a new one replaces the oldest of the network that " +
      "has the most.",
    ...openAtRate("session"),
    request: { body: body(schema.beginRequest) },
    responses: { 200: json(schema.beginResponse, "The codes"), ...errors(400) },
  },
  async (c) => c.json(await service.beginDeviceLogin(c.var.deps, c.req.valid("json")), 200),
);

deviceLogins.endpoint(
  "POST /token",
  {
    operationId: "takeDeviceToken",
    summary: "Poll for the token of a login on a device; only one response shows the token",
    description:
      "Send the request every `interval` seconds while the response is `AUTHORIZATION_PENDING`, and 5 " +
      "seconds less often after `SLOW_DOWN`. Every other error ends the login.",
    ...openAtRate("session"),
    request: { body: body(schema.takeTokenRequest) },
    responses: {
      200: json(createdTokenResponse, "The token of the user who has approved the login"),
      ...errors(402),
      400: errorRef("DeviceTokenRefused"),
    },
  },
  async (c) => {
    const { row, token } = await service.takeDeviceToken(c.var.deps, c.req.valid("json"));
    return c.json({ ...toToken(row), token }, 200);
  },
);

deviceLogins.endpoint(
  "POST /lookup",
  {
    operationId: "findDeviceLogin",
    summary: "Read what asks for a token with a user code",
    description:
      "A POST request, so that no log contains the code. Wrong codes count as wrong passwords.",
    ...access("token:own"),
    request: { body: body(schema.userCodeRequest) },
    responses: {
      200: json(schema.deviceLoginResponse, "The login, which waits for a decision"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const login = await service.findDeviceLogin(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toDeviceLogin(login), 200);
  },
);

deviceLogins.endpoint(
  "POST /approve",
  {
    operationId: "approveDeviceLogin",
    summary: "Approve a login on a device: it gets a token of yours",
    description:
      "Needs the current password. The token lives for 90 days. You get an e-mail. The device must take " +
      "the token before the login expires.",
    ...access("token:own"),
    request: { body: body(schema.approveRequest) },
    responses: {
      200: json(schema.deviceLoginResponse, "The approved login"),
      ...errors(400, 401, 402, 403, 404),
    },
  },
  async (c) => {
    const login = await service.approveDeviceLogin(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toDeviceLogin(login), 200);
  },
);

deviceLogins.endpoint(
  "POST /deny",
  {
    operationId: "denyDeviceLogin",
    summary: "Deny a login on a device",
    ...access("token:own"),
    request: { body: body(schema.userCodeRequest) },
    responses: {
      200: json(schema.deviceLoginResponse, "The denied login"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const login = await service.denyDeviceLogin(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toDeviceLogin(login), 200);
  },
);
