import { DAY_MS } from "../lib/time.ts";
import { murmur3 } from "@feature-flags/evaluation/murmur3";
import { type ClientRule, type RuleSegment, toClientRule } from "@feature-flags/evaluation/rule";
import type { StrategyContent } from "../strategies/strategy.ts";

/** How long changes are remembered for deltas: decisions 2.7. */
export const DELTA_MEMORY_MS = 30 * DAY_MS;

/** What the database knows of one environment at one revision; times are epoch milliseconds. */
export interface EnvironmentRules {
  readonly environmentId: number;
  readonly revision: number;
  /** When the revision was made. */
  readonly changedAt: number;
  readonly flags: readonly FlagRule[];
  readonly segments: ReadonlyMap<number, RuleSegment>;
  readonly changes: readonly RuleChange[];
}

/** A flag with its strategy in the environment. */
interface FlagRule {
  readonly key: string;
  readonly name: string;
  readonly archived: boolean;
  readonly strategy: StrategyContent;
}

interface RuleChange {
  readonly key: string;
  readonly name: string;
  readonly revision: number;
  readonly changedAt: number;
}

/** Everything that an edge needs to answer for an environment: what KV holds, and memory. */
export interface Snapshot {
  readonly environmentId: number;
  readonly revision: number;
  readonly changedAt: number;
  /** Named by the revision; the second half tells apart two histories after a restored backup. */
  readonly etag: string;
  /** The answer to a full fetch: a JSON array of client rules, in the order of creation. */
  readonly body: string;
  /** The rules that changed within `DELTA_MEMORY_MS`, newest first. */
  readonly changes: readonly SnapshotChange[];
}

interface Change {
  readonly revision: number;
  readonly changedAt: number;
}

export type SnapshotChange =
  /** Where the rule stands in the UTF-8 of `body`: a delta is cut out, not parsed. */
  | (Change & { readonly span: readonly [start: number, end: number] })
  /** The flag left the list. */
  | (Change & { readonly tombstone: ClientRule });

const encoder = new TextEncoder();

export function buildSnapshot(rules: EnvironmentRules): Snapshot {
  const { environmentId, revision, changedAt } = rules;
  const flags = new Map(rules.flags.map((flag) => [flag.key, flag]));
  const { body, spans } = listOf(rules);
  const changes = rules.changes.map((change): SnapshotChange => {
    const told = { revision: change.revision, changedAt: change.changedAt };
    const span = spans.get(change.key);
    if (span) return { ...told, span };
    const flag = flags.get(change.key);
    const rule = flag ? toClientRule(flag, flag.strategy, rules.segments) : goneRule(change);
    return { ...told, tombstone: { ...rule, enabled: false, archived: true } };
  });
  changes.sort((one, other) => other.revision - one.revision);
  return { environmentId, revision, changedAt, etag: etagOf(revision, body), body, changes };
}

/** The JSON array of the rules that are listed, and the place of each in its bytes. */
function listOf(rules: EnvironmentRules) {
  const spans = new Map<string, readonly [number, number]>();
  const texts: string[] = [];
  let end = 0;
  for (const flag of rules.flags) {
    if (flag.archived) continue;
    const text = JSON.stringify(toClientRule(flag, flag.strategy, rules.segments));
    // Behind the opening bracket, or the comma.
    const start = end + 1;
    end = start + encoder.encode(text).length;
    spans.set(flag.key, [start, end]);
    texts.push(text);
  }
  return { body: `[${texts.join(",")}]`, spans };
}

/** The entity tag of a snapshot. */
export const etagOf = (revision: number, body: string): string =>
  `"${revision}-${contentHash(body)}"`;

function contentHash(body: string): string {
  const bytes = encoder.encode(body);
  return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length).toString(16);
}

/** A deleted flag has no strategy left to tell. */
const goneRule = ({ key, name }: RuleChange): ClientRule => ({
  key,
  name,
  enabled: false,
  activation: { rollOut: 0, constraints: [], segments: [] },
});

/**
 * What changed at or after `since`, or after the revision that the caller holds; undefined when that
 * is longer ago than what is remembered, so that the full list must be answered.
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
  // Newest first, in time as in revision: the first that is too old ends it.
  const end = changes.findIndex((one) => one.changedAt < since && one.revision <= after);
  return end === -1 ? changes : changes.slice(0, end);
}

/** The revision that an ETag of ours names, if it is one. */
export function revisionOfEtag(etag: string): number | undefined {
  const digits = /"(\d{1,15})-[0-9a-f]+"/.exec(etag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
