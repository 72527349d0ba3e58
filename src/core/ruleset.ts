import { murmur3 } from "./murmur3.ts";
import type { ClientRule, Constraint } from "./rule.ts";

/** How long changes are remembered for deltas: decisions 2.7. */
export const DELTA_MEMORY_MS = 30 * 86_400_000;

/** What the database knows of one environment at one revision; times are epoch milliseconds. */
export interface EnvironmentRules {
  readonly environmentId: number;
  readonly revision: number;
  /** When the revision was made. */
  readonly changedAt: number;
  readonly flags: readonly FlagRule[];
  readonly segments: ReadonlyMap<number, { name: string; constraints: readonly Constraint[] }>;
  readonly changes: readonly RuleChange[];
}

/** A flag and its strategy in the environment. */
interface FlagRule {
  readonly key: string;
  readonly name: string;
  readonly archived: boolean;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
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
  /** The rules that changed within `DELTA_MEMORY_MS`. */
  readonly changes: readonly SnapshotChange[];
}

export interface SnapshotChange {
  readonly key: string;
  readonly revision: number;
  readonly changedAt: number;
  /** Present when the flag left the list. */
  readonly tombstone?: ClientRule;
}

export function buildSnapshot(rules: EnvironmentRules): Snapshot {
  const { environmentId, revision, changedAt } = rules;
  const flags = new Map(rules.flags.map((flag) => [flag.key, flag]));
  const listed = rules.flags.filter((flag) => !flag.archived);
  const body = JSON.stringify(listed.map((flag) => toClientRule(flag, rules.segments)));
  const changes = rules.changes.map((change): SnapshotChange => {
    const flag = flags.get(change.key);
    const told = { key: change.key, revision: change.revision, changedAt: change.changedAt };
    if (flag && !flag.archived) return told;
    const rule = flag ? toClientRule(flag, rules.segments) : goneRule(change);
    return { ...told, tombstone: { ...rule, enabled: false, archived: true } };
  });
  const etag = `"${revision}-${contentHash(body)}"`;
  return { environmentId, revision, changedAt, etag, body, changes };
}

function contentHash(body: string): string {
  const bytes = new TextEncoder().encode(body);
  return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length).toString(16);
}

function toClientRule(flag: FlagRule, segments: EnvironmentRules["segments"]): ClientRule {
  return {
    key: flag.key,
    name: flag.name,
    enabled: flag.enabled,
    activation: {
      rollOut: flag.percentage,
      constraints: flag.constraints,
      // A segment that is missing stands without constraints, which is never true.
      segments: flag.segmentIds.map((id) => segments.get(id) ?? { name: "", constraints: [] }),
      ...(flag.stickiness !== null && { stickiness: flag.stickiness }),
    },
  };
}

/** A deleted flag has no strategy left to tell. */
const goneRule = ({ key, name }: RuleChange): ClientRule => ({
  key,
  name,
  enabled: false,
  activation: { rollOut: 0, constraints: [], segments: [] },
});

/**
 * The keys that changed at or after `since`, or after the revision that the caller holds; undefined
 * when that is longer ago than what is remembered, so that the full list must be answered.
 */
export function changedSince(
  snapshot: Pick<Snapshot, "changes">,
  since: number,
  heldRevision: number | undefined,
  now: number,
): readonly SnapshotChange[] | undefined {
  if (since < now - DELTA_MEMORY_MS) return undefined;
  return snapshot.changes.filter(
    (change) =>
      change.changedAt >= since || (heldRevision !== undefined && change.revision > heldRevision),
  );
}

/** The revision that an ETag of ours names, if it is one. */
export function revisionOfEtag(etag: string): number | undefined {
  const digits = /"(\d{1,15})-[0-9a-f]+"/.exec(etag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
