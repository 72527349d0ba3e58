import type { Translate } from "../i18n/translate.ts";
import { parseOneOf } from "../parse-search-params.ts";
import { type ListSearch, validateListSearch } from "./list-search-params.ts";
import type { ListFilter } from "./filter-items.ts";

const USES = ["used", "unused"] as const;

/** The URL search parameters of a list that can show only the items which flags use, or do not. */
interface UsesSearch extends ListSearch {
  use?: (typeof USES)[number] | undefined;
}

export const validateUsesSearch = (raw: Record<string, unknown>): UsesSearch => ({
  ...validateListSearch(raw),
  use: parseOneOf(USES, raw["use"]),
});

/** The filter by whether flags use an item. Archived flags do not count. */
export const usesFilter = (t: Translate): ListFilter<{ flagCount?: number | undefined }> => ({
  name: "use",
  label: t("filters.use"),
  options: USES.map((value) => ({ value, label: t(`filters.uses.${value}`) })),
  matches: ({ flagCount = 0 }, use) => flagCount > 0 === (use === "used"),
});
