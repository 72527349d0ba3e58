import { z } from "@hono/zod-openapi";
import { contextEtag } from "@feature-flags/client-api/context-etag";
import { outcomeOf, resultsBody } from "@feature-flags/client-api/ofrep";
import { matchesNone } from "../../http/conditional.ts";
import { body, empty, ifNoneMatch, json, minRevisionHeader } from "../../http/contract.ts";
import { readBody } from "../../http/json.ts";
import { compiledRules } from "../rules/compiled-rules.ts";
import { ofrepMinRevision } from "../rules/min-revision.ts";
import { type ClientCall, type ClientResponse, type ClientRoute, FRESHNESS } from "../surface.ts";
import { eventStreamsJson } from "../stream/event-streams.ts";
import { ofrepError, ofrepErrors, ofrepRequest, ofrepResult, ofrepResults } from "./contract.ts";
import { EvaluationError } from "./errors.ts";

const BAD_REQUEST =
  "Malformed JSON or revision (`PARSE_ERROR`), a missing or invalid context (`INVALID_CONTEXT`)";

const tags = ["OpenFeature"];

const revisionQuery = z.object({
  flagConfigEtag: z
    .string()
    .optional()
    .openapi({
      description:
        "The `etag` of an event of the stream. The response is at least as new as the event, as with " +
        "`X-Min-Revision`.",
    }),
});

export const evaluateFlag: ClientRoute = {
  permission: "rules:evaluate",
  contract: {
    method: "post",
    path: "/evaluate/flags/{key}",
    operationId: "ofrepEvaluateFlag",
    summary: "Evaluate one flag (OFREP)",
    description: "For server-side OpenFeature providers. The same route exists under `/ofrep/v1`.",
    tags,
    ...minRevisionHeader,
    request: {
      params: z.object({ key: z.string() }),
      query: revisionQuery,
      body: body(ofrepRequest),
    },
    responses: {
      200: json(ofrepResult, "The value of the flag", ...FRESHNESS),
      400: json(ofrepError, `${BAD_REQUEST}, or one without the id (\`TARGETING_KEY_MISSING\`)`),
      404: json(ofrepError, "The flag does not exist (`FLAG_NOT_FOUND`)"),
      ...ofrepErrors,
    },
  },
  minRevision: ofrepMinRevision,
  respond: respondWithOne,
};

export const evaluateFlags: ClientRoute = {
  permission: "rules:evaluate",
  contract: {
    method: "post",
    path: "/evaluate/flags",
    operationId: "ofrepEvaluateFlags",
    summary: "Evaluate all flags (OFREP)",
    description:
      "For OpenFeature providers in browsers and apps. A flag that cannot be evaluated, because the " +
      "context does not have the id that it needs, is a failure among the results. The same route " +
      "exists under `/ofrep/v1`.",
    tags,
    parameters: [...ifNoneMatch.parameters, ...minRevisionHeader.parameters],
    request: { query: revisionQuery, body: body(ofrepRequest) },
    responses: {
      200: json(ofrepResults, "The values of all flags", ...FRESHNESS, "ETag"),
      304: empty("Neither the rules nor the context have changed", ...FRESHNESS, "ETag"),
      400: json(ofrepError, BAD_REQUEST),
      ...ofrepErrors,
    },
  },
  minRevision: ofrepMinRevision,
  respond: respondWithAll,
};

async function respondWithOne(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  edge.markInstance(ports, served, c.req.raw.headers, false);
  const { context } = await readBody(c, ofrepRequest);
  const { set, stale } = served;
  const key = c.req.param("key") ?? "";
  const rule = compiledRules(call).byKey.get(key)?.rule;
  const outcome = outcomeOf(JSON.stringify(key), rule, context);
  if ("error" in outcome) throw new EvaluationError(outcome.error);
  return { status: 200, headers: set.headersOf("verdicts", stale), body: outcome.json };
}

async function respondWithAll(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  edge.markInstance(ports, served, c.req.raw.headers, false);
  const { context } = await readBody(c, ofrepRequest);
  const { set, stale } = served;
  const token = await edge.streamToken(ports, served.key);
  const etag = contextEtag(set.snapshot.etag, context, token);
  const held = c.req.raw.headers.get("If-None-Match");
  const isUnchanged = held !== null && matchesNone(held, etag);
  const kind = isUnchanged ? "unchanged verdicts" : "verdicts";
  const headers = new Headers(set.headersOf(kind, stale));
  headers.set("ETag", etag);
  if (isUnchanged) return { status: 304, headers, body: null };
  const streams = token === undefined ? "" : `,"eventStreams":${eventStreamsJson(token)}`;
  const results = resultsBody(compiledRules(call).byKey, context, set.snapshot);
  return { status: 200, headers, body: `${results.slice(0, -1)}${streams}}` };
}
