import { type Change, deletedRule } from "@feature-flags/client-api/changes";
import { rulesBody } from "@feature-flags/client-api/rules-body";
import {
  type ClientRule,
  type RuleFlag,
  type RuleSegment,
  toClientRule,
} from "@feature-flags/evaluation/rule";
import type { StrategyContent } from "../strategies/strategy.ts";

/** The rules of one environment at one revision, as read from the database. Times are epoch milliseconds. */
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
  /** The keys of the archived flags that only servers get. */
  readonly archivedServerKeys: readonly string[];
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
 * A snapshot: everything that the client API needs of an environment. KV and the memory of isolates keep it.
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
  /** The body of a full response: a JSON array of the rules, in the order in which the flags were created. */
  readonly body: string;
  /**
   * The last change of each rule that changed within `DELTA_MEMORY_MS` (`@feature-flags/client-api/changes`) before the snapshot was
   * built, newest first.
   */
  readonly changes: readonly SnapshotChange[];
  /** The keys of all archived flags. Their usage is still counted. */
  readonly archivedKeys: readonly string[];
  /** The keys of the archived flags that only servers get. A browser must not learn that they exist. */
  readonly archivedServerKeys: readonly string[];
}

export type SnapshotChange =
  /**
   * The byte range of the rule in `body` (UTF-8). A delta response is cut out of the body without parsing it.
   */
  | (Change & { readonly span: readonly [start: number, end: number] })
  /** The rule that deltas contain for an archived or deleted flag. `body` has no rule of such a flag. */
  | (Change & { readonly tombstone: ClientRule });

export function buildSnapshot(rules: EnvironmentRules): Snapshot {
  const { environmentId, revision, changedAt, archivedKeys, archivedServerKeys } = rules;
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
  const archived = { archivedKeys, archivedServerKeys };
  return { environmentId, revision, changedAt, etag, digest, body, changes, ...archived };
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
  const { enabled, constraints, segmentIds, stickiness } = strategy;
  const percentage = Math.floor(strategy.percentage);
  const last = { enabled, percentage, constraints, segmentIds, stickiness };
  return toClientRule({ key, name }, last, segments);
}
