import { PLAIN_FORM, readEtag } from "@feature-flags/client-api/etag";
import { rulesBody } from "@feature-flags/client-api/rules-body";
import { DAY_MS } from "../lib/time.ts";
import {
  type ClientRule,
  type RuleFlag,
  type RuleSegment,
  toClientRule,
} from "@feature-flags/evaluation/rule";
import type { StrategyContent } from "../strategies/strategy.ts";

/**
 * How long the service keeps the list of changed rules, milliseconds. Delta responses are made from
 * this list (docs/decisions.md, 2.7).
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
  /** The keys of all archived flags. */
  readonly archivedKeys: readonly string[];
}

/** A flag with its strategy in one environment. */
export interface FlagRule extends RuleFlag {
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
   * The ETag (`etagOf` of `@feature-flags/client-api/etag`). The revision alone is not enough: after a backup is restored, the same
   * number can mean other rules. Another release may also make other rules of the same revision.
   */
  readonly etag: string;
  /**
   * The digest of the rules (`digestOf`). A client that has applied a delta compares it with the
   * digest of its own rules.
   */
  readonly digest: string;
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
  /** The keys of all archived flags. Their usage is still counted. */
  readonly archivedKeys: readonly string[];
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
  /**
   * The rule that deltas contain for an archived or deleted flag. `body` has no rule of such a
   * flag.
   */
  | (Change & { readonly tombstone: ClientRule });

/** Builds the snapshot of an environment from its rules. */
export function buildSnapshot(rules: EnvironmentRules): Snapshot {
  const { environmentId, revision, changedAt, archivedKeys } = rules;
  const flags = new Map(rules.flags.map((flag) => [flag.key, flag]));
  const { body, spans, etag, digest } = rulesBody(rulesOf(rules), revision);
  const changes = rules.changes.map((change): SnapshotChange => {
    const base = { revision: change.revision, changedAt: change.changedAt };
    const span = spans.get(change.key);
    if (span) return { ...base, span };
    const flag = flags.get(change.key);
    const rule = flag ? archivedRule(flag, rules) : deletedRule(change);
    return { ...base, tombstone: { ...rule, enabled: false, archived: true } };
  });
  changes.sort((one, other) => other.revision - one.revision);
  return { environmentId, revision, changedAt, etag, digest, body, changes, archivedKeys };
}

/** Makes the rules of all flags that are not archived, one after the other. */
function* rulesOf({ flags, segments }: EnvironmentRules): Generator<ClientRule> {
  for (const flag of flags) if (!flag.archived) yield toClientRule(flag, flag.strategy, segments);
}

/**
 * Returns the tombstone of an archived flag. It has no values, no ordered rules and no
 * prerequisites. So clients use their own default for the flag, as they do after they fetch all
 * rules, in which the flag is missing.
 */
function archivedRule(flag: FlagRule, { segments }: EnvironmentRules): ClientRule {
  const { key, name, strategy } = flag;
  const { enabled, percentage, constraints, segmentIds, stickiness } = strategy;
  const last = { enabled, percentage, constraints, segmentIds, stickiness };
  return toClientRule({ key, name }, last, segments);
}

/**
 * Returns the tombstone of a deleted flag. Its strategy is empty, because the strategy was deleted
 * with the flag.
 */
const deletedRule = ({ key, name }: RuleChange): ClientRule => ({
  key,
  name,
  enabled: false,
  activation: { rollOut: 0, constraints: [], segments: [] },
});

/**
 * Returns the changes at or after `since` (epoch milliseconds), and those after the revision that
 * the caller has. `heldEtag`: the `If-None-Match` header, which does not match the snapshot.
 *
 * Returns undefined when the caller needs the full list:
 *
 * - `since` is longer ago than `DELTA_MEMORY_MS`.
 * - `since` is in the future and the caller's revision is unknown. A caller whose clock is fast would
 *   otherwise miss changes.
 * - The caller has other rules of the same revision, or rules of an older form. Another release has
 *   made them, during a deploy or after a rollback.
 */
export function changedSince(
  snapshot: Pick<Snapshot, "changes" | "changedAt" | "etag" | "revision">,
  since: number,
  heldEtag: string | undefined,
  now: number,
): readonly SnapshotChange[] | undefined {
  if (since < now - DELTA_MEMORY_MS) return undefined;
  const { changes, changedAt, etag, revision } = snapshot;
  const held = heldEtag === undefined ? undefined : readEtag(heldEtag);
  // `X-Next-Since` is 1 ms after the newest change, which may be later than `now` if the clock of
  // the writer is slightly ahead.
  if (held === undefined && since > Math.max(now, changedAt + 1)) return undefined;
  const form = readEtag(etag)?.form ?? PLAIN_FORM;
  if (held && (held.revision === revision || held.form < form)) return undefined;
  const after = held?.revision ?? Infinity;
  // The changes are sorted newest first, so the search ends at the first one that is too old.
  const end = changes.findIndex((one) => one.changedAt < since && one.revision <= after);
  return end === -1 ? changes : changes.slice(0, end);
}
