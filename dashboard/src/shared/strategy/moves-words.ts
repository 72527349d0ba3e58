import { isSameConstraints } from "../constraints/is-same-constraints.ts";
import { type RuleWords, whoWords } from "./rule-words.ts";
import type { StrategyContent, Activation, RuleSettings } from "./settings.ts";
import { isSameRules, isSameSegments } from "./values.ts";

/**
 * Says which share of users, 0 to 1, gets another value after a change of a strategy, and who they are if
 * only users with certain conditions do. Otherwise, the words say "at most" if there is a condition,
 * because the share of users who meet the condition is unknown.
 */
export function movesWords(
  words: RuleWords,
  moves: number,
  before: StrategyContent,
  after: StrategyContent,
): string {
  const { t } = words;
  const share = words.exactPercent(moves);
  if (moves === 0) return t("rules.moves.none");
  if (!hasConditions(before) && !hasConditions(after)) return t("rules.moves.exact", { share });
  const users = movedUsers(before, after);
  const said = (exactPercentage: number) =>
    users ? whoWords(words, { ...users, exactPercentage }, "who").text : "";
  if (users?.by === "last") {
    const who = said(moves * 100);
    return users.isAfterRules
      ? t("rules.moves.atMostOf", { who })
      : t("rules.moves.exactOf", { who: capitalized(who) });
  }
  if (moves < 1) return t("rules.moves.atMost", { share });
  return users ? t("rules.moves.some", { who: capitalized(said(100)) }) : t("rules.moves.any");
}

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const hasConditions = (strategy: StrategyContent): boolean =>
  [strategy, ...strategy.rules].some(
    ({ constraints, segmentIds }) => constraints.length > 0 || segmentIds.length > 0,
  );

/** The conditions of the only users whom a change of a strategy concerns. */
interface MovedUsers extends Pick<Activation, "constraints" | "segmentIds"> {
  /** `rule`: a rule was added or removed. `last`: the last rule has changed and its conditions stay. */
  readonly by: "rule" | "last";
  /** Whether earlier rules decide for some of these users. */
  readonly isAfterRules: boolean;
}

/** A form whose switch is elsewhere has no `enabled`. */
type Change = StrategyContent & { readonly enabled?: boolean };

/**
 * Returns who is concerned by a change of a strategy. Undefined if the change concerns users whom no list
 * of conditions describes.
 */
function movedUsers(before: Change, after: Change): MovedUsers | undefined {
  if (after.enabled !== undefined && before.enabled !== after.enabled) return undefined;
  const hasSameLast =
    isSameConstraints(before.constraints, after.constraints) &&
    isSameSegments(before.segmentIds, after.segmentIds);
  if (!hasSameLast) return undefined;
  const { constraints, segmentIds } = after;
  if (isSameRules(before.rules, after.rules))
    return withConditions({
      by: "last",
      constraints,
      segmentIds,
      isAfterRules: after.rules.length > 0,
    });
  if (!isSameActivation(before, after)) return undefined;
  const rule = extraRule(before.rules, after.rules) ?? extraRule(after.rules, before.rules);
  return rule && withConditions({ by: "rule", ...conditionsOf(rule), isAfterRules: false });
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

/** Whether two last rules are the same. */
const isSameActivation = (a: StrategyContent, b: StrategyContent): boolean =>
  isSameRules([{ ...a, name: null }], [{ ...b, name: null }]);
