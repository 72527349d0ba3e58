import { DAY_MS } from "../lib/time.ts";
import { murmur3 } from "@feature-flags/evaluation/murmur3";
import { type ClientRule, type RuleSegment, toClientRule } from "@feature-flags/evaluation/rule";
import type { StrategyContent } from "../strategies/strategy.ts";

/**
 * How long the service knows which rules changed, for delta responses, milliseconds
 * (docs/decisions.md, 2.7).
 */
export const DELTA_MEMORY_MS = 30 * DAY_MS;

/**
 * The rules of one environment at one revision, as read from the database. Times are epoch
 * milliseconds.
 */
export interface EnvironmentRules {
  readonly environmentId: number;
  readonly revision: number;
  /** The time of the revision. */
  readonly changedAt: number;
  readonly flags: readonly FlagRule[];
  readonly segments: ReadonlyMap<number, RuleSegment>;
  readonly changes: readonly RuleChange[];
}

/** A flag with its strategy in one environment. */
interface FlagRule {
  readonly key: string;
  readonly name: string;
  readonly archived: boolean;
  readonly strategy: StrategyContent;
}

/** The last change of one flag's rule in an environment. */
interface RuleChange {
  readonly key: string;
  readonly name: string;
  readonly revision: number;
  readonly changedAt: number;
}

/**
 * A snapshot: everything that the client API needs of an environment. KV and the memory of isolates
 * keep it.
 */
export interface Snapshot {
  readonly environmentId: number;
  readonly revision: number;
  readonly changedAt: number;
  /**
   * The ETag, `"{revision}-{hash of the body}"`. The revision alone is not enough: after a backup
   * is restored, the same number can mean other rules.
   */
  readonly etag: string;
  /**
   * The body of a full response: a JSON array of the rules, in the order in which the flags were
   * created.
   */
  readonly body: string;
  /**
   * The last change of each rule that changed within `DELTA_MEMORY_MS` before the snapshot was
   * built, newest first.
   */
  readonly changes: readonly SnapshotChange[];
}

interface Change {
  readonly revision: number;
  readonly changedAt: number;
}

export type SnapshotChange =
  /**
   * The byte range of the rule in `body` (UTF-8). A delta response is cut out of the body without
   * parsing it.
   */
  | (Change & { readonly span: readonly [start: number, end: number] })
  /** The rule of a flag that was archived or deleted, and so is no longer in `body`. */
  | (Change & { readonly tombstone: ClientRule });

const encoder = new TextEncoder();

/** Builds the snapshot of an environment from its rules. */
export function buildSnapshot(rules: EnvironmentRules): Snapshot {
  const { environmentId, revision, changedAt } = rules;
  const flags = new Map(rules.flags.map((flag) => [flag.key, flag]));
  const { body, spans } = listOf(rules);
  const changes = rules.changes.map((change): SnapshotChange => {
    const base = { revision: change.revision, changedAt: change.changedAt };
    const span = spans.get(change.key);
    if (span) return { ...base, span };
    const flag = flags.get(change.key);
    const rule = flag ? toClientRule(flag, flag.strategy, rules.segments) : deletedRule(change);
    return { ...base, tombstone: { ...rule, enabled: false, archived: true } };
  });
  changes.sort((one, other) => other.revision - one.revision);
  return { environmentId, revision, changedAt, etag: etagOf(revision, body), body, changes };
}

/**
 * Returns the JSON array of all rules that are not archived, and the byte range of each rule in it.
 */
function listOf(rules: EnvironmentRules) {
  const spans = new Map<string, readonly [number, number]>();
  const texts: string[] = [];
  let end = 0;
  for (const flag of rules.flags) {
    if (flag.archived) continue;
    const text = JSON.stringify(toClientRule(flag, flag.strategy, rules.segments));
    // The first rule starts after the opening bracket, every other rule after a comma.
    const start = end + 1;
    end = start + encoder.encode(text).length;
    spans.set(flag.key, [start, end]);
    texts.push(text);
  }
  return { body: `[${texts.join(",")}]`, spans };
}

/** Returns the ETag of a snapshot with this revision and body. */
export const etagOf = (revision: number, body: string): string =>
  `"${revision}-${contentHash(body)}"`;

function contentHash(body: string): string {
  const bytes = encoder.encode(body);
  return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length).toString(16);
}

/**
 * Returns the tombstone of a deleted flag. It has an empty strategy, because the flag has none any
 * more.
 */
const deletedRule = ({ key, name }: RuleChange): ClientRule => ({
  key,
  name,
  enabled: false,
  activation: { rollOut: 0, constraints: [], segments: [] },
});

/**
 * Returns the changes at or after `since` (epoch milliseconds), and those after the revision that
 * the caller has. Returns undefined when `since` is longer ago than `DELTA_MEMORY_MS`; the caller
 * then needs the full list.
 */
export function changedSince(
  snapshot: Pick<Snapshot, "changes">,
  since: number,
  heldRevision: number | undefined,
  now: number,
): readonly SnapshotChange[] | undefined {
  if (since < now - DELTA_MEMORY_MS) return undefined;
  const { changes } = snapshot;
  const after = heldRevision ?? Infinity;
  // The changes are sorted newest first, so the search ends at the first one that is too old.
  const end = changes.findIndex((one) => one.changedAt < since && one.revision <= after);
  return end === -1 ? changes : changes.slice(0, end);
}

/**
 * Returns the revision in the first ETag of `etagOf` that an `If-None-Match` header contains;
 * undefined: it contains none.
 */
export function revisionOfEtag(etag: string): number | undefined {
  const digits = /"(\d{1,15})-[0-9a-f]+"/.exec(etag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
