import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ApiError } from "../core/errors/api-error.ts";
import { changedSince } from "@feature-flags/client-api/changes";
import { matchesNone } from "../http/conditional.ts";
import { empty, ifNoneMatch, json, minRevisionHeader, sdkHeaders } from "../http/contract.ts";
import { errors } from "../http/error-contract.ts";
import { assertUrl } from "../http/request-limits.ts";
import { minRevision } from "./rules/min-revision.ts";
import { clientRules } from "./rules/rule-schema.ts";
import type { RuleSet } from "./rules/rule-set.ts";
import { type ClientCall, type ClientResponse, type ClientRoute, FRESHNESS } from "./surface.ts";

const featuresQuery = z.object({
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional()
    .openapi({
      type: "string",
      format: "date-time",
      description:
        "Return only what changed at or after this time: `X-Next-Since` of the last response",
    }),
});

export const features: ClientRoute = {
  permission: "rules:read",
  contract: {
    method: "get",
    path: "/features",
    operationId: "getFeatures",
    summary: "Get the flag rules of the key's environment",
    description:
      "Returns the rules that an SDK with a `SERVER` key needs to evaluate flags itself. With `since`, " +
      "returns only the rules that changed, if the service still knows them (`X-Delta`); a flag that " +
      "was archived or deleted is in the list with `archived: true`.",
    tags: ["Client"],
    parameters: [
      ...ifNoneMatch.parameters,
      ...minRevisionHeader.parameters,
      ...sdkHeaders.parameters,
    ],
    request: { query: featuresQuery },
    responses: {
      200: json(
        clientRules,
        "The rules, or only those that changed",
        ...FRESHNESS,
        "ETag",
        "X-Delta",
        "X-Rules-Digest",
      ),
      304: empty(
        "The rules have not changed since the ETag",
        ...FRESHNESS,
        "ETag",
        "X-Rules-Digest",
      ),
      ...errors(400, 401, 403),
    },
  },
  minRevision,
  respond,
};

function respond({ c, served, edge, ports }: ClientCall): ClientResponse {
  const { url, headers } = c.req.raw;
  edge.markInstance(ports, served, headers, true);
  const since = url.includes("?") ? sinceOf(c, url) : undefined;
  const { set, stale } = served;
  const held = headers.get("If-None-Match") ?? undefined;
  const { kind, body } = rulesSince(set, { held, since }, ports.now());
  const status = kind === "unchanged" ? 304 : 200;
  return { status, headers: set.headersOf(kind, stale), body };
}

/** The rules that a caller lacks: none, all rules, or those that changed. */
type RulesSince =
  | { readonly kind: "unchanged"; readonly body: null }
  | { readonly kind: "full"; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly kind: "partial"; readonly body: string };

/**
 * Returns the rules that a caller lacks. `held`: the header `If-None-Match`. `since`: epoch
 * milliseconds; undefined: the caller wants no delta.
 */
export function rulesSince(
  set: RuleSet,
  { held, since }: { readonly held: string | undefined; readonly since: number | undefined },
  now: number,
): RulesSince {
  if (held !== undefined && matchesNone(held, set.snapshot.etag))
    return { kind: "unchanged", body: null };
  const delta = since === undefined ? undefined : deltaBody(set, since, held, now);
  return delta === undefined ? { kind: "full", body: set.bytes } : { kind: "partial", body: delta };
}

/**
 * Returns the query parameter `since` as epoch milliseconds; undefined: there is none. Throws: 400.
 */
function sinceOf(c: Context, url: string): number | undefined {
  assertUrl(url);
  const parsed = featuresQuery.safeParse(c.req.query());
  if (parsed.success) return parsed.data.since;
  throw new ApiError("BAD_REQUEST", "since: must be an ISO 8601 timestamp");
}

/**
 * Returns the body of a delta response: the rules that changed at or after `since` (epoch
 * milliseconds), or after the revision in the caller's ETag. The body has a tombstone for each rule
 * that was archived or deleted. Undefined when the caller needs the full list.
 */
function deltaBody(
  set: RuleSet,
  since: number,
  heldEtag: string | undefined,
  now: number,
): string | undefined {
  const changes = changedSince(set.snapshot, since, heldEtag, now);
  const texts = changes?.map((change) =>
    "span" in change ? set.text(change.span) : JSON.stringify(change.tombstone),
  );
  return texts && `[${texts.join(",")}]`;
}
