import { access } from "../../http/access.ts";
import { body, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

/** The routes for the preferences of a user in the dashboard: favourites, recent flags, filters, columns. */
export const preferences = new Router<ManagementEnv>("Account");

preferences.endpoint(
  "GET /me/preferences",
  {
    operationId: "getPreferences",
    summary: "Read your own favourites, recent flags, saved filters and columns in a project",
    ...access("session:own"),
    request: { query: schema.preferencesQuery },
    responses: {
      200: json(schema.preferencesResponse, "The preferences"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const entries = await service.getPreferences(callOfRequest(c), c.req.valid("query"));
    return c.json(schema.toPreferences(entries), 200);
  },
);

preferences.endpoint(
  "POST /me/preferences",
  {
    operationId: "changePreferences",
    summary: "Change a favourite, a recent flag, a saved filter or the columns",
    ...access("session:own"),
    request: { body: body(schema.changePreferencesRequest) },
    responses: {
      200: json(schema.preferencesResponse, "The preferences after the change"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const entries = await service.changePreferences(callOfRequest(c), c.req.valid("json"));
    return c.json(schema.toPreferences(entries), 200);
  },
);
