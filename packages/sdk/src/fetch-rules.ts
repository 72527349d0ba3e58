import type { ClientRule } from "@feature-flags/evaluation/rule";
import { FlagClientError } from "./failure.ts";
import type { Update, Version } from "./rule-store.ts";
import { isRevision } from "./snapshot.ts";
import type { Transport } from "./transport.ts";

/** What a request for rules demands. */
export interface Demand {
  /** The rules that the client has; undefined: none. */
  readonly held: Version | undefined;
  /** The response must not have older rules than these. 0: any. */
  readonly minRevision: number;
}

/** The response to a request for rules. */
export interface Fetched {
  /** The new rules; undefined: the client has the newest. */
  readonly update: Update | undefined;
  /** The revision of the response. */
  readonly revision: number;
  /** What the next request sends as `since`. */
  readonly nextSince: string | undefined;
  /** Whether the service could not compare its rules with the database (`Warning: 110`). */
  readonly isStale: boolean;
  /** The time of the service, epoch milliseconds; undefined: unknown. */
  readonly date: number | undefined;
}

/** Fetches the rules, or those that changed. Throws: CallError. */
export async function fetchRules(
  transport: Transport,
  { held, minRevision }: Demand,
): Promise<Fetched> {
  const since = held?.nextSince;
  const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
  const answer = await transport.send({
    path: `/api/client/features${query}`,
    headers: {
      ...(held !== undefined && { "If-None-Match": held.etag }),
      ...(minRevision > 0 && { "X-Min-Revision": String(minRevision) }),
    },
  });
  const { status, headers, text } = answer;
  const revision = Number(headers.get("X-Revision") ?? Number.NaN);
  if (!isRevision(revision)) throw malformed("has no X-Revision");
  const date = Date.parse(headers.get("Date") ?? "");
  const nextSince = headers.get("X-Next-Since") ?? undefined;
  const base = {
    revision,
    nextSince,
    isStale: headers.get("Warning")?.startsWith("110") === true,
    date: Number.isNaN(date) ? undefined : date,
  };
  if (status === 304) return { ...base, update: undefined };
  const etag = headers.get("ETag");
  if (status !== 200 || etag === null) throw malformed(`is ${status}, and not a list of rules`);
  const isPartial = headers.get("X-Delta") === "partial";
  if (isPartial && since === undefined) throw malformed("lacks the rules that did not change");
  const update: Update = {
    kind: isPartial ? "partial" : "full",
    rules: parse(text),
    version: { revision, etag, nextSince },
  };
  return { ...base, update };
}

/** Parses a list of rules. Throws: INVALID_RESPONSE. */
function parse(text: string): ClientRule[] {
  let rules: unknown;
  try {
    rules = JSON.parse(text);
  } catch (cause) {
    throw malformed("is not complete JSON", cause);
  }
  if (!Array.isArray(rules)) throw malformed("is not a list of rules");
  return rules as ClientRule[];
}

const malformed = (what: string, cause?: unknown): FlagClientError =>
  new FlagClientError(
    "INVALID_RESPONSE",
    `The response with the rules ${what}: is the URL the address of the service?`,
    { cause },
  );

/** The data of a stream event. `update`: undefined when the client has to fetch the rules. */
export interface StreamChange {
  readonly revision: number;
  readonly update: Update | undefined;
}

/**
 * Reads the data of a stream event. The event has an update if it has the rules that changed since
 * the revision that the client has. Undefined when the data is malformed.
 */
export function readChange(data: string, held: Version | undefined): StreamChange | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { revision, from, etag, nextSince, rules } = parsed as Readonly<Record<string, unknown>>;
  if (!isRevision(revision)) return undefined;
  const fits =
    held?.nextSince !== undefined &&
    from === held.revision &&
    typeof etag === "string" &&
    typeof nextSince === "string" &&
    // The number of parts is the form of the rules (docs/api.md, event streams).
    etag.split("-").length === held.etag.split("-").length &&
    Array.isArray(rules);
  if (!fits) return { revision, update: undefined };
  const version = { revision, etag, nextSince };
  return { revision, update: { kind: "partial", rules: rules as ClientRule[], version } };
}
