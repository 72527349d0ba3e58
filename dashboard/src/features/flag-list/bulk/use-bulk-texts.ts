import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import type { BulkAction, PlannedAction } from "./bulk-actions.ts";

export function useBulkTexts() {
  const { t } = useTranslation();
  const namesOf = (action: BulkAction | PlannedAction) => ({
    environment: "environment" in action ? action.environment.name : "",
    tag: "tag" in action ? action.tag : "",
  });
  return {
    titleOf: (action: PlannedAction, count: number) =>
      t(`bulk.title.${action.kind}`, { ...namesOf(action), count }),
    confirmOf: (action: PlannedAction, count: number) =>
      t(`bulk.confirm.${action.kind}`, { ...namesOf(action), count }),
    /**
     * Returns the text after an action: how many flags it has changed, and how many needed no
     * change.
     */
    doneText: (action: BulkAction, changed: number, unchanged: number) => {
      const done = t(`bulk.done.${action.kind}`, { ...namesOf(action), count: changed });
      return unchanged === 0 ? done : `${done} · ${t("bulk.unchanged", { count: unchanged })}`;
    },
  };
}
