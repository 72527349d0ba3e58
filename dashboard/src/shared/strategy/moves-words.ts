import { movedUsers } from "./moved-users.ts";
import { type RuleWords, whoWords } from "./rule-words.ts";
import type { StrategyContent } from "./settings.ts";

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
