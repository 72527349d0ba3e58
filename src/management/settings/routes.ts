import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const settings = new Router<ManagementEnv>("Settings");

settings.endpoint(
  "GET /",
  {
    operationId: "getSettings",
    summary: "Read the settings of the service",
    ...access("settings:read"),
    responses: { 200: json(schema.settingsResponse, "The settings", "ETag"), ...errors(401, 403) },
  },
  async (c) => {
    const row = await service.getSettings(callOfRequest(c));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toSettings(row), 200);
  },
);

settings.endpoint(
  "PUT /",
  {
    operationId: "updateSettings",
    summary: "Change the settings of the service",
    ...access("settings:write"),
    ...ifMatch,
    request: { body: body(schema.updateSettingsRequest) },
    responses: {
      200: json(schema.settingsResponse, "The settings", "ETag"),
      ...errors(400, 401, 403, 409, 412),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("json"), ifMatch: ifMatchVersions(c) };
    const row = await service.updateSettings(callOfRequest(c), input);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toSettings(row), 200);
  },
);
