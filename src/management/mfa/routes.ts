import { access, openAtRate } from "../../http/access.ts";
import { body, empty, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { isoOrNull } from "../../http/schema.ts";
import { sessionResponse, toSession } from "../auth/session-schema.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const mfa = new Router<ManagementEnv>("Second factor");

mfa.endpoint(
  "GET /",
  {
    operationId: "getMfa",
    summary: "Read the state of your second factor",
    ...access("session:own"),
    responses: {
      200: json(schema.mfaStatusResponse, "The state of the second factor"),
      ...errors(401, 403),
    },
  },
  async (c) => {
    const status = await service.status(callOfRequest(c));
    const mfaEnrollmentDeadline = isoOrNull(status.deadline);
    const { enabled, recoveryCodesLeft } = status;
    return c.json({ enabled, recoveryCodesLeft, mfaEnrollmentDeadline }, 200);
  },
);

mfa.endpoint(
  "POST /enroll",
  {
    operationId: "enrollMfa",
    summary: "Create a secret for an authenticator app; needs your current password",
    ...access("session:own"),
    request: { body: body(schema.enrolRequest) },
    responses: {
      200: json(schema.enrolmentResponse, "The secret, and the `otpauth` URL for a QR code"),
      ...errors(400, 401, 403, 409),
    },
  },
  async (c) => c.json(await service.enrol(callOfRequest(c), c.req.valid("json")), 200),
);

mfa.endpoint(
  "POST /activate",
  {
    operationId: "activateMfa",
    summary: "Turn the second factor on; only this response shows the recovery codes",
    ...access("session:own"),
    request: { body: body(schema.activateRequest) },
    responses: {
      200: json(schema.recoveryCodesResponse, "The recovery codes"),
      ...errors(400, 401, 403, 409),
    },
  },
  async (c) => {
    const codes = await service.activate(callOfRequest(c), c.req.valid("json"));
    return c.json({ recoveryCodes: [...codes] }, 200);
  },
);

mfa.endpoint(
  "POST /recovery-codes",
  {
    operationId: "renewRecoveryCodes",
    summary:
      "Replace the recovery codes; needs your current password, and only this response shows the codes",
    ...access("session:own"),
    request: { body: body(schema.confirmedRequest) },
    responses: {
      200: json(schema.recoveryCodesResponse, "The recovery codes"),
      ...errors(400, 401, 403, 409),
    },
  },
  async (c) => {
    const codes = await service.renewRecoveryCodes(callOfRequest(c), c.req.valid("json"));
    return c.json({ recoveryCodes: [...codes] }, 200);
  },
);

mfa.endpoint(
  "POST /disable",
  {
    operationId: "disableMfa",
    summary: "Turn the second factor off; needs your current password",
    ...access("session:own"),
    request: { body: body(schema.confirmedRequest) },
    responses: { 204: empty("The second factor is off"), ...errors(400, 401, 403, 409) },
  },
  async (c) => {
    await service.disable(callOfRequest(c), c.req.valid("json"));
    return c.body(null, 204);
  },
);

mfa.endpoint(
  "POST /verify",
  {
    operationId: "verifyMfa",
    summary: "Complete a sign-in with a second factor",
    ...openAtRate("session"),
    request: { body: body(schema.verifyRequest) },
    responses: {
      200: json(sessionResponse, "The session"),
      ...errors(400, 401),
    },
  },
  async (c) => c.json(toSession(await service.verify(c.var.deps, c.req.valid("json"))), 200),
);
