import { contextEtag } from "@feature-flags/client-api/context-etag";
import { outcomeOf, resultsBody } from "@feature-flags/client-api/ofrep";
import { matchesNone } from "../../http/conditional.ts";
import { readContextBody } from "../edge/context-request.ts";
import { visibleRules } from "../edge/compiled-rules.ts";
import { ofrepMinRevision } from "../edge/min-revision.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import { eventStreamsJson } from "./event-streams.ts";
import { EvaluationError } from "./errors.ts";

export const evaluateFlag: ClientRoute = {
  operationId: "ofrepEvaluateFlag",
  method: "post",
  path: "/evaluate/flags/{key}",
  permission: "rules:evaluate",
  minRevision: ofrepMinRevision,
  respond: respondWithOne,
};

export const evaluateFlags: ClientRoute = {
  operationId: "ofrepEvaluateFlags",
  method: "post",
  path: "/evaluate/flags",
  permission: "rules:evaluate",
  minRevision: ofrepMinRevision,
  respond: respondWithAll,
};

async function respondWithOne(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  edge.markInstance(ports, served, c.req.raw.headers, false);
  const { context } = await readContextBody(c);
  const { set, stale } = served;
  const key = c.req.param("key") ?? "";
  const rule = visibleRules(call).get(key)?.rule;
  const outcome = outcomeOf(JSON.stringify(key), rule, context);
  if ("error" in outcome) throw new EvaluationError(outcome.error);
  return { status: 200, headers: set.headersOf("verdicts", stale), body: outcome.json };
}

async function respondWithAll(call: ClientCall): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  edge.markInstance(ports, served, c.req.raw.headers, false);
  const { context } = await readContextBody(c);
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
  const body = resultsBody(visibleRules(call), context, set.snapshot, streams);
  return { status: 200, headers, body };
}
