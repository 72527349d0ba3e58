import { typeOptions } from "../../shared/constraints/type-text.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import type { ListFilter } from "../../shared/list/filter-items.ts";

/** The filter of the list of contexts by their type. */
export const typeFilter = (t: Translate): ListFilter<{ readonly contextType: string }> => ({
  name: "type",
  label: t("contexts.type"),
  options: typeOptions(t),
  matches: ({ contextType }, type) => contextType === type,
});
