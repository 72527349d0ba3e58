import { useTranslation } from "../i18n/use-translation.ts";
import type { RuleWords } from "../strategy/rule-words.ts";
import { useRuleWords } from "../strategy/use-rule-words.ts";
import type { ItemNames } from "./item-names.ts";

export function useRecordedWords(names: ItemNames): RuleWords {
  const { t } = useTranslation();
  return useRuleWords(
    (id) =>
      names.of("segment", id) ??
      t("history.thingWithId", { thing: t("history.things.segment"), id }),
  );
}
