import { Suspense } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterBar, FilterSpace } from "../../shared/list/FilterBar.tsx";
import { FlagSearch } from "./FlagSearch.tsx";
import { Filters } from "./lazy.ts";

export function FlagFilters({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  return (
    <FilterBar label={t("flags.filters")} search={<FlagSearch isSearching={isSearching} />}>
      <Suspense fallback={<FilterSpace />}>
        <Filters />
      </Suspense>
    </FilterBar>
  );
}
