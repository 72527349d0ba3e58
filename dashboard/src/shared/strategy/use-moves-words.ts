import { type Impact, movesWords } from "./moves-words.ts";
import { type SegmentsById, segmentName } from "./segments-by-id.ts";
import type { StrategyContent } from "./settings.ts";
import { useRuleWords } from "./use-rule-words.ts";

/** As `movesWords`, in the language of the page. */
export function useMovesWords(segments: SegmentsById) {
  const words = useRuleWords((id) => segmentName(id, segments));
  return (impact: Impact, before: StrategyContent, after: StrategyContent): string =>
    movesWords(words, impact, before, after);
}
