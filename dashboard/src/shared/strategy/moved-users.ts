import { isSameConstraints } from "../constraints/is-same-constraints.ts";
import type { Activation, StrategyContent, RuleSettings } from "./settings.ts";
import { isSameRules, isSameSegments } from "./values.ts";

/** The conditions of the only users whom a change of a strategy concerns. */
interface MovedUsers extends Pick<Activation, "constraints" | "segmentIds"> {
  /** Whether no other rule decides for some of these users, so that their share is exact. */
  readonly isExact: boolean;
}

/** A form whose switch is elsewhere has no `enabled`. */
type Change = StrategyContent & { readonly enabled?: boolean };

/**
 * Returns who is concerned by a change of a strategy. Undefined if the change concerns users whom no list
 * of conditions describes.
 */
export function movedUsers(before: Change, after: Change): MovedUsers | undefined {
  if (after.enabled !== undefined && before.enabled !== after.enabled) return undefined;
  const hasSameLast =
    isSameConstraints(before.constraints, after.constraints) &&
    isSameSegments(before.segmentIds, after.segmentIds);
  if (!hasSameLast) return undefined;
  const { constraints, segmentIds } = after;
  if (isSameRules(before.rules, after.rules))
    return withConditions({ constraints, segmentIds, isExact: after.rules.length === 0 });
  if (!isSameActivation(before, after)) return undefined;
  const rule =
    extraRule(before.rules, after.rules) ??
    extraRule(after.rules, before.rules) ??
    changedRule(before.rules, after.rules);
  return rule && withConditions({ ...conditionsOf(rule), isExact: false });
}

const conditionsOf = ({ constraints, segmentIds }: RuleSettings) => ({ constraints, segmentIds });

const withConditions = (users: MovedUsers): MovedUsers | undefined =>
  users.constraints.length > 0 || users.segmentIds.length > 0 ? users : undefined;

/** Returns the rule that the longer list has besides the rules of the shorter one. */
const extraRule = (
  shorter: readonly RuleSettings[],
  longer: readonly RuleSettings[],
): RuleSettings | undefined =>
  longer.find((_rule, index) => isSameRules(shorter, longer.toSpliced(index, 1)));

/** Returns the only rule that differs between two lists, if its conditions are the same in both. */
function changedRule(
  before: readonly RuleSettings[],
  after: readonly RuleSettings[],
): RuleSettings | undefined {
  const index = after.findIndex((rule, n) => !isSameRules([rule], before.slice(n, n + 1)));
  const [old, rule] = [before[index], after[index]];
  if (!old || !rule || !isSameRules(before, after.with(index, old))) return undefined;
  const hasSameConditions =
    isSameConstraints(old.constraints, rule.constraints) &&
    isSameSegments(old.segmentIds, rule.segmentIds);
  return hasSameConditions ? rule : undefined;
}

/** Whether two last rules are the same. */
const isSameActivation = (a: StrategyContent, b: StrategyContent): boolean =>
  isSameRules([{ ...a, name: null }], [{ ...b, name: null }]);
