import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { RuleWords } from "./rule-words.ts";
import { segmentName, type SegmentsById } from "./segments-by-id.ts";
import type { StrategySettings } from "./settings.ts";
import { strategySentence } from "./strategy-sentence.ts";

export function useRuleWords(nameOf: (id: number) => string): RuleWords {
  const { t } = useTranslation();
  const { exactPercent, list, either } = useFormat();
  return { t, exactPercent, list, either, segmentName: nameOf };
}

export function useStrategySentence(
  segments: SegmentsById,
): (strategy: StrategySettings) => string {
  const words = useRuleWords((id) => segmentName(id, segments));
  return (strategy) => strategySentence(words, strategy, segments);
}
