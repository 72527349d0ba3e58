import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { StrategyContent } from "./settings.ts";

/**
 * Returns a function that says which share of users, 0 to 1, gets another value after a change of a
 * strategy. It says "at most" if there is a condition, because the share of users who meet the
 * condition is unknown.
 */
export function useMovesWords() {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  return (moves: number, before: StrategyContent, after: StrategyContent): string => {
    if (moves === 0) return t("rules.moves.none");
    if (!hasConditions(before) && !hasConditions(after))
      return t("rules.moves.exact", { share: exactPercent(moves) });
    return moves === 1
      ? t("rules.moves.any")
      : t("rules.moves.atMost", { share: exactPercent(moves) });
  };
}

const hasConditions = (strategy: StrategyContent): boolean =>
  [strategy, ...strategy.rules].some(
    ({ constraints, segmentIds }) => constraints.length > 0 || segmentIds.length > 0,
  );
