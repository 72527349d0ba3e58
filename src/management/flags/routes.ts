import { z } from "@hono/zod-openapi";
import { access } from "../../http/access.ts";
import { etagOf, ifMatchVersions } from "../../http/conditional.ts";
import { body, empty, ifMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { callOfRequest } from "../../access/call.ts";
import { propose, proposedResponse } from "../shared/propose.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { proposeQuery } from "../shared/propose-query.ts";
import { revertContract, revertResult } from "../shared/revert-route.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { relatedOf } from "./related.ts";
import { revertFlag, revertingFlag } from "./revert-service.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const flags = new Router<ManagementEnv>("Flags");

flags.endpoint(
  "POST /",
  {
    operationId: "createFlag",
    summary: "Create a flag",
    ...access("flag:write"),
    request: { body: body(schema.createFlagRequest) },
    responses: {
      201: json(schema.oneFlagResponse, "The flag", "ETag", "X-Revision"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const { flag, revisions } = await service.createFlag(call, c.req.valid("json"));
    setRevisions(c, revisions);
    return c.json(schema.toOneFlag(flag, call.now()), 201, { ETag: etagOf(flag.version) });
  },
);

flags.endpoint(
  "GET /{id}",
  {
    operationId: "getFlag",
    summary: "Read a flag",
    ...access("flag:read"),
    request: { params: idParams, query: schema.flagQuery },
    responses: {
      200: json(schema.flagWithRelatedResponse, "The flag", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const flag = await service.getFlag(call, c.req.valid("param"));
    const related = c.req.valid("query").related && (await relatedOf(call, flag));
    return c.json(
      {
        ...schema.toOneFlag(flag, call.now()),
        ...(related && { related: schema.toRelated(related) }),
      },
      200,
      { ETag: etagOf(flag.version) },
    );
  },
);

flags.endpoint(
  "PUT /{id}",
  {
    operationId: "updateFlag",
    summary: "Change a flag",
    ...access("flag:write"),
    ...ifMatch,
    request: {
      params: idParams,
      query: z.object(proposeQuery),
      body: body(schema.updateFlagRequest),
    },
    responses: {
      200: json(schema.oneFlagResponse, "The flag", "ETag", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const change = {
      ...c.req.valid("json"),
      ...c.req.valid("param"),
      ifMatch: ifMatchVersions(c),
    };
    if (c.req.valid("query").propose) return propose(c, service.updatingFlag(change));
    const { flag, revisions } = await service.updateFlag(call, change);
    setRevisions(c, revisions);
    return c.json(schema.toOneFlag(flag, call.now()), 200, { ETag: etagOf(flag.version) });
  },
);

for (const [verb, archived] of [
  ["archive", true],
  ["unarchive", false],
] as const)
  flags.endpoint(
    `POST /{id}/${verb}`,
    {
      operationId: `${verb}Flag`,
      summary: archived
        ? "Archive a flag: SDKs no longer get it"
        : "Unarchive a flag: SDKs get it again",
      ...access("flag:write"),
      ...ifMatch,
      request: { params: idParams, query: z.object(proposeQuery) },
      responses: {
        200: json(schema.oneFlagResponse, "The flag", "ETag", "X-Revision"),
        ...proposedResponse,
        ...errors(400, 401, 402, 403, 404, 409, 412),
      },
    },
    async (c) => {
      const call = callOfRequest(c);
      const { id } = c.req.valid("param");
      const change = { id, ifMatch: ifMatchVersions(c), archived };
      if (c.req.valid("query").propose) return propose(c, service.archiving(change));
      const { flag, revisions } = await service.setArchived(call, change);
      setRevisions(c, revisions);
      return c.json(schema.toOneFlag(flag, call.now()), 200, { ETag: etagOf(flag.version) });
    },
  );

flags.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteFlag",
    summary: "Delete an archived flag",
    ...access("flag:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The flag has been deleted", "X-Revision"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    setRevisions(
      c,
      await service.deleteFlag(callOfRequest(c), { id, ifMatch: ifMatchVersions(c) }),
    );
    return c.body(null, 204);
  },
);

flags.endpoint(
  "POST /{id}/clone",
  {
    operationId: "cloneFlag",
    summary: "Create a flag with the content of another one",
    description:
      "Copies the description, types, variants, tags, owners and prerequisites of the flag, and its " +
      "strategies in all environments. The clone is not archived, and off unless `keepState` is true.",
    ...access("flag:write"),
    request: {
      params: idParams,
      query: z.object(proposeQuery),
      body: body(schema.cloneFlagRequest),
    },
    responses: {
      201: json(schema.oneFlagResponse, "The new flag", "ETag", "X-Revision"),
      ...proposedResponse,
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const call = callOfRequest(c);
    const input = { ...c.req.valid("json"), ...c.req.valid("param") };
    if (c.req.valid("query").propose) return propose(c, service.cloningFlag(input));
    const { flag, revisions } = await service.cloneFlag(call, input);
    setRevisions(c, revisions);
    return c.json(schema.toOneFlag(flag, call.now()), 201, { ETag: etagOf(flag.version) });
  },
);

flags.endpoint(
  "POST /{id}/revert",
  {
    operationId: "revertFlag",
    summary: "Restore a flag as it was before an audit record",
    description:
      "A record of the action `flag.updated`: undoes its change and all later ones of the flag's name, " +
      "description, tags, variants and prerequisites. `flag.archived` and `flag.unarchived`: undoes it. " +
      "`flag.deleted`: creates the flag again with a new id, archived and off in every environment. The " +
      "response of a dry run is the preview.",
    ...access("flag:write"),
    ...revertContract(idParams),
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("json"), ...c.req.valid("query") };
    return revertResult(c, input, { revert: revertFlag, reverting: revertingFlag });
  },
);
