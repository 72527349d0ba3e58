import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { pageOf } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { enrichedFlagsQuery, flagsInEnvironmentQuery, flagsQuery } from "./list-schema.ts";
import * as lists from "./list-service.ts";
import * as schema from "./schema.ts";

/**
 * The routes of the lists of flags. They must be mounted before the route `/{id}`, which would
 * match `/by-environment` and `/enriched`.
 */
export const flagLists = new Router<ManagementEnv>("Flags");

flagLists.endpoint(
  "GET /",
  {
    operationId: "listFlags",
    summary: "List flags",
    ...access("flag:read"),
    request: { query: flagsQuery },
    responses: {
      200: json(pageOf(schema.flagResponse).openapi("FlagPage"), "A page of flags"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const now = call.now();
    const page = await lists.listFlags(call, { ...c.req.valid("query"), now });
    const items = page.items.map((flag) => schema.toFlag(flag, now));
    return c.json({ ...page, items }, 200);
  },
);

flagLists.endpoint(
  "GET /by-environment",
  {
    operationId: "listFlagsByEnvironment",
    summary: "List the flags of an environment's project, with their strategy in that environment",
    ...access("flag:read"),
    request: { query: flagsInEnvironmentQuery },
    responses: {
      200: json(
        pageOf(schema.flagWithStrategyResponse).openapi("FlagInEnvironmentPage"),
        "A page of flags",
      ),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const now = call.now();
    const page = await lists.listFlagsByEnvironment(call, { ...c.req.valid("query"), now });
    const items = page.items.map((item) => schema.toFlagWithStrategy(item, now));
    return c.json({ ...page, items }, 200);
  },
);

flagLists.endpoint(
  "GET /enriched",
  {
    operationId: "listEnrichedFlags",
    summary: "List flags with their segments, tags, contexts and environments",
    ...access("flag:read"),
    request: { query: enrichedFlagsQuery },
    responses: {
      200: json(pageOf(schema.enrichedFlagResponse).openapi("EnrichedFlagPage"), "A page of flags"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const now = call.now();
    const page = await lists.listEnrichedFlags(call, { ...c.req.valid("query"), now });
    const items = page.items.map((item) => schema.toEnrichedFlag(item, now));
    return c.json({ ...page, items }, 200);
  },
);
