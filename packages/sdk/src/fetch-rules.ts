import type { ClientRule } from "@feature-flags/evaluation/rule";
import { FlagClientError } from "./failure.ts";
import type { Confirmed, RuleStore, Update, Version } from "./rule-store.ts";
import { isRevision } from "./snapshot.ts";
import type { Transport } from "./transport.ts";

/** What a request for rules sends and demands. */
export interface Demand {
  /** The rules that the client has; undefined: none. */
  readonly held: Version | undefined;
  /** The lowest revision that the response may have. 0: any revision. */
  readonly minRevision: number;
}

/** The response to a request for rules. */
export interface Fetched extends Confirmed {
  /** The new rules; undefined: the client has the newest rules. */
  readonly update: Update | undefined;
  /** The revision of the response. */
  readonly revision: number;
  /** Whether the service could not compare its rules with the database (`Warning: 110`). */
  readonly isStale: boolean;
  /** The time of the service, epoch milliseconds; undefined: unknown. */
  readonly date: number | undefined;
}

/** Fetches all rules, or only those that changed. Throws: CallError. */
export async function fetchRules(
  transport: Transport,
  { held, minRevision }: Demand,
): Promise<Fetched> {
  // Asks for all rules if there is no digest, without which the client could not tell whether a
  // delta fits.
  const since = held?.digest === undefined ? undefined : held.nextSince;
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
  const confirmed: Confirmed = {
    nextSince: headers.get("X-Next-Since") ?? undefined,
    digest: headers.get("X-Rules-Digest") ?? undefined,
  };
  const base = {
    ...confirmed,
    revision,
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
    version: { revision, etag, ...confirmed },
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
 * Reads the data of a stream event. The result has an update if the event contains the rules that
 * changed since the revision of the store, and these rules fit. Undefined when the data is
 * malformed.
 */
export function readChange(data: string, store: RuleStore): StreamChange | undefined {
  const held = store.version;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { revision, from, etag, digest, nextSince, rules } = parsed as Readonly<
    Record<string, unknown>
  >;
  if (!isRevision(revision)) return undefined;
  const isDelta =
    held?.nextSince !== undefined &&
    from === held.revision &&
    typeof etag === "string" &&
    typeof digest === "string" &&
    typeof nextSince === "string" &&
    // Compares the forms of the rules, which the numbers of parts of the ETags tell
    // (docs/use/api.md, event streams).
    etag.split("-").length === held.etag.split("-").length &&
    Array.isArray(rules);
  if (!isDelta) return { revision, update: undefined };
  const version = { revision, etag, digest, nextSince };
  const update = { kind: "partial" as const, rules: rules as ClientRule[], version };
  return { revision, update: store.fits(update) ? update : undefined };
}
