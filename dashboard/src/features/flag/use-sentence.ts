import { useTranslation } from "react-i18next";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { sentence } from "./sentence.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";
import type { SegmentsById } from "./strategy.ts";

export function useSentence(segments: SegmentsById): (strategy: StrategySettings) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (strategy) => sentence(t, format, strategy, segments);
}
