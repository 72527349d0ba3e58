import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ApiError } from "../core/errors/api-error.ts";
import { security } from "../http/access.ts";
import { matchesNone } from "../http/conditional.ts";
import { body, empty, ifNoneMatch, json, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { assertUrl } from "../http/request-limits.ts";
import { createRoom } from "../http/router.ts";
import {
  type Answered,
  type ClientAnswer,
  type ClientCall,
  type ClientEnv,
  clientRoute,
  type ClientWorld,
  JSON_HEADERS,
} from "./answer.ts";
import { readBody } from "./body.ts";
import { deltaBody } from "./delta.ts";
import type { Served } from "./edge.ts";
import { seeInstance } from "./instance.ts";
import { answerMetrics, metrics } from "./metrics.ts";
import type { AnswerKind } from "./rule-set.ts";
import * as schema from "./schema.ts";
import { evaluationsBody } from "./verdicts.ts";

/** The headers of every answer (see `headersOf`). */
const FRESHNESS = ["X-Revision", "X-Next-Since", "Cache-Control", "Warning"] as const;

const features = createRoute({
  method: "get",
  path: "/features",
  operationId: "getFeatures",
  summary: "The flag rules of the key's environment",
  description:
    "Everything that a `SERVER` key's SDK needs to evaluate flags by itself. With `since`, only what " +
    "changed, if that is still known (`X-Delta`); a flag that left the list stands in it with `archived`.",
  tags: ["Client"],
  ...security("rules:read"),
  parameters: [...ifNoneMatch.parameters, ...sdkHeaders.parameters],
  request: { query: schema.featuresQuery },
  responses: {
    200: json(
      z.array(schema.clientRule),
      "The rules, or those that changed",
      ...FRESHNESS,
      "ETag",
      "X-Delta",
    ),
    304: empty("Nothing changed since the ETag", ...FRESHNESS, "ETag"),
    ...errors(400, 401, 403),
  },
});

const evaluate = createRoute({
  method: "post",
  path: "/evaluate",
  operationId: "evaluateFlags",
  summary: "Evaluate flags for one context",
  description:
    "For clients that cannot evaluate by themselves, and for keys that may be published.",
  tags: ["Client"],
  ...security("rules:evaluate"),
  ...sdkHeaders,
  request: { body: body(schema.evaluateRequest) },
  responses: {
    200: json(schema.evaluateResponse, "The verdicts by flag key", ...FRESHNESS),
    ...errors(400, 401, 403),
  },
});

/**
 * The client API. The contracts are registered and the handlers mounted by hand: what the service
 * built itself is not validated again on the hot path, and a route is one handler.
 */
export function clientRoutes<E extends ClientEnv>(
  world: (c: Context<E>) => ClientWorld,
  answered: Answered<E>,
): OpenAPIHono<E> {
  const client = createRoom<E>();
  client.openAPIRegistry.registerPath(features);
  client.get(features.path, clientRoute(world, "rules:read", answerFeatures, answered));
  client.openAPIRegistry.registerPath(evaluate);
  client.post(evaluate.path, clientRoute(world, "rules:evaluate", answerEvaluate, answered));
  client.openAPIRegistry.registerPath(metrics);
  client.post(metrics.path, clientRoute(world, "usage:report", answerMetrics, answered));
  return client;
}

function answerFeatures<E extends ClientEnv>(call: ClientCall<E>): ClientAnswer {
  const { c, served, ports } = call;
  seeInstance(call);
  const { url } = c.req.raw;
  const since = url.includes("?") ? sinceOf(c, url) : undefined;
  const { snapshot, bytes } = served.set;
  const held = c.req.raw.headers.get("If-None-Match") ?? undefined;
  if (held !== undefined && matchesNone(held, snapshot.etag))
    return { status: 304, headers: headersOf(served, "unchanged"), body: null };
  const delta = since === undefined ? undefined : deltaBody(served.set, since, held, ports.now());
  const headers = headersOf(served, delta === undefined ? "full" : "partial");
  return { status: 200, headers, body: delta ?? bytes };
}

async function answerEvaluate<E extends ClientEnv>(call: ClientCall<E>): Promise<ClientAnswer> {
  const { c, served, edge } = call;
  seeInstance(call);
  const { context, toggles } = await readBody(c, schema.evaluateRequest);
  const { revision } = served.set.snapshot;
  const rules = edge.rules.compiled(served.set);
  const headers = headersOf(served, "verdicts");
  return { status: 200, headers, body: evaluationsBody(rules, context, toggles, revision) };
}

/** What an answer is, how new it is, and what to ask with next time. */
function headersOf({ set, stale }: Served, kind: AnswerKind): Headers {
  const name = stale ? (`stale ${kind}` as const) : kind;
  const known = set.headers.get(name);
  if (known) return known;
  const headers = new Headers({
    "Cache-Control": "private, no-cache",
    "X-Revision": String(set.snapshot.revision),
    "X-Next-Since": set.nextSince,
    ...(kind !== "verdicts" && { ETag: set.snapshot.etag }),
    // A 304 repeats nothing that its 200 has said.
    ...(kind !== "unchanged" && JSON_HEADERS),
    ...((kind === "full" || kind === "partial") && { "X-Delta": kind }),
    ...(stale && { Warning: '110 - "Response is Stale"' }),
  });
  set.headers.set(name, headers);
  return headers;
}

/** The `since` of the query, epoch milliseconds. Errors: 400. */
function sinceOf(c: Context, url: string): number | undefined {
  assertUrl(url);
  const parsed = schema.featuresQuery.safeParse(c.req.query());
  if (parsed.success) return parsed.data.since;
  throw new ApiError("BAD_REQUEST", "since: must be an ISO 8601 timestamp");
}
