import type { StrategySettings } from "./settings.ts";
import { useRuleWords } from "./use-rule-words.ts";
import { segmentName, type SegmentsById } from "./segments-by-id.ts";
import { strategySentence } from "./strategy-sentence.ts";

export function useStrategySentence(
  segments: SegmentsById,
): (strategy: StrategySettings) => string {
  const words = useRuleWords((id) => segmentName(id, segments));
  return (strategy) => strategySentence(words, strategy, segments);
}
