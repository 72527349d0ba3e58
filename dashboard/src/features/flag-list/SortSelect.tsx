import { Select } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { DEFAULT_SORT, type FlagSort } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

/** A select for the sort order of the flag cards, because cards have no column headers to click. */
export function SortSelect() {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  const data = [
    { value: "name", label: t("flagForms.sortName") },
    { value: "-createdAt", label: t("flagForms.sortNewest") },
    { value: "-updatedAt", label: t("flagForms.sortChanged") },
    { value: "-lastUsedAt", label: t("flagForms.sortUsed") },
  ] as const satisfies { value: FlagSort; label: string }[];
  return (
    <Select
      aria-label={t("flagForms.sort")}
      data={data}
      value={search.sort ?? DEFAULT_SORT}
      onChange={(chosen) => change({ sort: data.find(({ value }) => value === chosen)?.value })}
      allowDeselect={false}
    />
  );
}
