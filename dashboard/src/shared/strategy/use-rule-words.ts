import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { RuleWords } from "./rule-words.ts";

/** Returns the functions that describe strategies and rules in the language of the page. */
export function useRuleWords(segmentName: (id: number) => string): RuleWords {
  const { t } = useTranslation();
  const { exactPercent, list, either } = useFormat();
  return { t, exactPercent, list, either, segmentName };
}
