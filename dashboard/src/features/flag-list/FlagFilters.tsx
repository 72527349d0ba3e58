import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconStar } from "@tabler/icons-react";
import { Suspense, useId } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SearchBox } from "../../shared/list/SearchBox.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import classes from "./FlagFilters.module.css";
import { countFilters } from "./search-params.ts";
import { Filters, SortSelect } from "./lazy.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

/** On narrow screens a button shows and hides the filters. */
export function FlagFilters({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  const isNarrow = useIsNarrow();
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const count = countFilters(search);

  return (
    <search className={classes.bar} aria-label={t("flags.filters")}>
      <div className={classes.search}>
        <SearchBox
          label={t("common.search")}
          placeholder={t("flags.searchPlaceholder")}
          value={search.search ?? ""}
          onSearch={(words) => change({ search: words || undefined }, { replace: true })}
          isSearching={isSearching}
        />
      </div>
      {isNarrow ? (
        <>
          <Button
            variant="default"
            onClick={toggle}
            aria-expanded={opened}
            aria-controls={id}
            leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} aria-hidden />}
          >
            {count === 0 ? t("flags.filters") : t("flags.filtersActive", { count })}
          </Button>
          <div id={id} hidden={!opened} className={classes.filters}>
            <FavouriteFilter />
            <Suspense>
              <Filters />
              <SortSelect />
            </Suspense>
          </div>
        </>
      ) : (
        <>
          <FavouriteFilter />
          <Suspense fallback={<div className={classes.space} />}>
            <Filters />
          </Suspense>
        </>
      )}
    </search>
  );
}

function FavouriteFilter() {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  return (
    <Button
      variant={search.favourite ? "light" : "default"}
      aria-pressed={search.favourite === true}
      onClick={() => change({ favourite: search.favourite ? undefined : true })}
      leftSection={<IconStar size={16} stroke={1.75} aria-hidden />}
    >
      {t("flags.favourites")}
    </Button>
  );
}
