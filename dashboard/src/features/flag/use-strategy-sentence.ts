import { useTranslation } from "react-i18next";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { strategySentence } from "./strategy-sentence.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";
import type { SegmentsById } from "./strategy.ts";

export function useStrategySentence(
  segments: SegmentsById,
): (strategy: StrategySettings) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (strategy) => strategySentence(t, format, strategy, segments);
}
