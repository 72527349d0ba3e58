import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError, invalid } from "../core/errors.ts";
import { evaluate } from "../core/evaluate.ts";
import type { Permission } from "../core/permissions.ts";
import type { Verdict } from "../core/rule.ts";
import { bearerToken, limitBody, security } from "../http/access.ts";
import { matchesNone } from "../http/conditional.ts";
import type { HttpVariables } from "../http/context.ts";
import { body, empty, ifNoneMatch, json } from "../http/contract.ts";
import { readJson } from "../http/json.ts";
import { errors } from "../http/refusals.ts";
import { createRoom } from "../http/router.ts";
import { deltaBody } from "./delta.ts";
import type { Edge } from "./edge.ts";
import type { ClientPorts } from "./ports.ts";
import type { Served } from "./rule-cache.ts";
import * as schema from "./schema.ts";

export interface ClientEnv {
  Variables: HttpVariables & { edge: Edge; ports: ClientPorts; served: Served };
}

/** 401, 403 and 503 come before anything of the request is read. */
const serving = (permission: Permission) =>
  createMiddleware<ClientEnv>(async (c, next) => {
    const token = bearerToken(c.req.header("Authorization"));
    c.set("served", await c.var.edge.serve(c.var.ports, token, permission));
    await next();
  });

export const client = createRoom<ClientEnv>();

/** The headers of every answer (see `freshness`). */
const FRESHNESS = ["X-Revision", "X-Next-Since", "Cache-Control", "Warning"] as const;

// The contracts are registered and the handlers mounted by hand: what the service built itself is
// not validated again on the hot path, and the key check is the lease, not the management look-up.
client.openAPIRegistry.registerPath(
  createRoute({
    method: "get",
    path: "/features",
    operationId: "getFeatures",
    summary: "The flag rules of the key's environment",
    description:
      "Everything that a `SERVER` key's SDK needs to evaluate flags by itself. With `since`, only what " +
      "changed, if that is still known (`X-Delta`); a flag that left the list stands in it with `archived`.",
    tags: ["Client"],
    ...security("rules:read"),
    ...ifNoneMatch,
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
  }),
);

client.get("/features", serving("rules:read"), (c) => {
  const { served, ports } = c.var;
  const query = c.req.url.includes("?") ? featuresQuery(c) : undefined;
  const { snapshot, bytes } = served.set;
  const held = c.req.header("If-None-Match");
  const headers = freshness(served);
  if (held !== undefined && matchesNone(held, snapshot.etag)) return c.body(null, 304, headers);
  const delta =
    query?.since === undefined ? undefined : deltaBody(served.set, query.since, held, ports.now());
  headers["X-Delta"] = delta === undefined ? "full" : "partial";
  headers["Content-Type"] = "application/json";
  return c.body(delta ?? bytes, 200, headers);
});

client.openAPIRegistry.registerPath(
  createRoute({
    method: "post",
    path: "/evaluate",
    operationId: "evaluateFlags",
    summary: "Evaluate flags for one context",
    description:
      "For clients that cannot evaluate by themselves, and for keys that may be published.",
    tags: ["Client"],
    ...security("rules:evaluate"),
    request: { body: body(schema.evaluateRequest) },
    responses: {
      200: json(schema.evaluateResponse, "The verdicts by flag key", ...FRESHNESS),
      ...errors(400, 401, 403),
    },
  }),
);

client.post("/evaluate", serving("rules:evaluate"), limitBody, async (c) => {
  const { served, edge } = c.var;
  const parsed = schema.evaluateRequest.safeParse(await readJson(c));
  if (!parsed.success)
    throw invalid(
      parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message })),
    );
  const { context, toggles } = parsed.data;
  const rules = edge.rules.compiled(served.set);
  const keys = toggles && toggles.length > 0 ? toggles : rules.keys();
  // Without a prototype, a flag may have any name.
  const evaluations = Object.create(null) as Record<string, Verdict>;
  for (const key of keys) evaluations[key] = evaluate(rules.get(key), context);
  const { revision } = served.set.snapshot;
  const headers = freshness(served);
  delete headers["ETag"];
  return c.json({ evaluations, revision }, 200, headers);
});

/** How new the answer is, and what to ask with next time. */
function freshness({ set, stale }: Served): Record<string, string> {
  const { etag, revision, changedAt } = set.snapshot;
  const headers: Record<string, string> = {
    ETag: etag,
    "Cache-Control": "private, no-cache",
    "X-Revision": String(revision),
    // Changes at exactly this time are known: the next question is about later ones.
    "X-Next-Since": new Date(changedAt + 1).toISOString(),
  };
  if (stale) headers["Warning"] = '110 - "Response is Stale"';
  return headers;
}

function featuresQuery(c: Context) {
  const parsed = schema.featuresQuery.safeParse(c.req.query());
  if (parsed.success) return parsed.data;
  throw new ApiError("BAD_REQUEST", "since: must be an ISO 8601 timestamp");
}
