import { flagsSchema } from "@feature-flags/file/json-schema";
import { sha256 } from "../../core/lib/digest.ts";
import { access, open } from "../../http/access.ts";
import { etagOf, ifMatchTags, matchesNone } from "../../http/conditional.ts";
import { body, empty, ifMatch, ifNoneMatch, json } from "../../http/contract.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { jsonText } from "../../http/json-text.ts";
import { FILE_LIMITS } from "../../http/request-limits.ts";
import { idParams } from "../../http/schema.ts";
import { proposePlan } from "../shared/propose.ts";
import { requestResponse } from "../shared/change-request-response.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { setRevisions } from "../shared/revision-header.ts";
import { applyProject } from "./apply-service.ts";
import { exportFile } from "./export-service.ts";
import { planProject } from "./plan-service.ts";
import * as schema from "./schema.ts";

export const files = new Router<ManagementEnv>("Flags as code");
export const fileSchemas = new Router<ManagementEnv>("Flags as code");

files.endpoint(
  "GET /{id}/export",
  {
    operationId: "exportProject",
    summary: "Read the flags of a project as a file",
    description:
      "Has no archived flags, no owners, no keys and no environments without rules. Leaves out fields that have " +
      "their defaults. The order of all fields and names is always the same.",
    ...access("project:export", { isFile: true }),
    ...ifNoneMatch,
    request: { params: idParams, query: schema.exportQuery },
    responses: {
      200: json(schema.file, "The file", "ETag"),
      304: empty("The file has not changed since the ETag", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("param"), ...c.req.valid("query") };
    const text = await exportFile(callOfRequest(c), input);
    const tag = etagOf(await sha256(text));
    // The ETag is weak, so that proxies may compress the file (`neverCached`).
    const headers = { ETag: `W/${tag}` };
    const held = c.req.header("If-None-Match");
    if (held !== undefined && matchesNone(held, tag)) return c.body(null, 304, headers);
    return jsonText(c, text, headers);
  },
);

files.endpoint(
  "POST /{id}/plan",
  {
    operationId: "planFile",
    summary: "Compare a file with a project, and show what an apply would change",
    description:
      "Writes nothing, and needs no permission to write, so that pull requests can be planned. The errors of an " +
      "invalid file have JSON Pointers into the file as their fields. Quotas are checked by the apply only.",
    ...access("project:export", { body: FILE_LIMITS, isFile: true }),
    request: { params: idParams, body: body(schema.planRequest) },
    responses: {
      200: json(schema.planResponse, "What an apply would change"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const input = { ...c.req.valid("json"), ...c.req.valid("param") };
    return c.json(schema.toPlanResponse(await planProject(callOfRequest(c), input)), 200);
  },
);

files.endpoint(
  "POST /{id}/apply",
  {
    operationId: "applyFile",
    summary: "Apply a file to a project: all its changes in one transaction, or none",
    description:
      "`If-Match` has the id of the plan that was reviewed. If the file would change something else by now, the " +
      "response is 412. If the project is as the file says, nothing is written. If an environment requires an " +
      "approval, the response is 202 with the change request for the plan. Each change needs the permission " +
      "of its own endpoint, too.",
    ...access("project:apply", { body: FILE_LIMITS, isFile: true }),
    ...ifMatch,
    request: { params: idParams, body: body(schema.applyRequest) },
    responses: {
      200: json(schema.planResponse, "What has changed", "X-Revision"),
      202: json(
        requestResponse,
        "An environment requires an approval: the change request for the plan",
        "ETag",
        "Location",
        "X-Revision",
      ),
      ...errors(400, 401, 402, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const ids = ifMatchTags(c);
    const input = { ...c.req.valid("json"), ...c.req.valid("param"), ifMatch: ids };
    const applied = await applyProject(callOfRequest(c), input);
    setRevisions(c, applied.revisions);
    if ("needsApproval" in applied) return proposePlan(c, applied.needsApproval);
    return c.json(schema.toPlanResponse(applied.plan), 200);
  },
);

fileSchemas.endpoint(
  "GET /flags-1.json",
  {
    operationId: "getFileSchema",
    summary: "Read the JSON Schema of the file with the flags of a project",
    description: "Editors use it to complete and check `flags.yaml`.",
    ...open,
    responses: { 200: json(schema.jsonSchema, "The JSON Schema"), ...errors() },
  },
  (c) => c.json(flagsSchema(), 200),
);
