import type { Context } from "hono";
import { ApiError } from "../../core/errors/api-error.ts";
import { changedSince } from "@feature-flags/client-api/changes";
import { parseDate } from "@feature-flags/evaluation/parse";
import { matchesNone } from "../../http/conditional.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { minRevision } from "../edge/min-revision.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";

export const features: ClientRoute = {
  operationId: "getFeatures",
  method: "get",
  path: "/features",
  permission: "rules:read",
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

/** Matches an ISO 8601 time with a zone. Whether the day exists is checked after it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the query parameter `since` as epoch milliseconds; undefined: there is none. Throws: 400. */
function sinceOf(c: Context, url: string): number | undefined {
  assertUrl(url);
  const text = c.req.query("since");
  if (text === undefined) return undefined;
  const time = INSTANT.test(text) ? parseDate(text) : undefined;
  if (time !== undefined) return Math.floor(time);
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
