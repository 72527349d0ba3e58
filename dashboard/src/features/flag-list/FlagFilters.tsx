import { Suspense } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterBar, FilterSpace } from "../../shared/list/FilterBar.tsx";
import { Filters } from "./lazy.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

export function FlagFilters({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  return (
    <FilterBar
      label={t("flags.filters")}
      search={{
        label: t("common.search"),
        placeholder: t("flags.searchPlaceholder"),
        value: search.search ?? "",
        onSearch: (words) => change({ search: words || undefined }, { replace: true }),
        isSearching,
      }}
    >
      <Suspense fallback={<FilterSpace />}>
        <Filters />
      </Suspense>
    </FilterBar>
  );
}
