import { Button, Text } from "@mantine/core";
import { IconFilterOff, IconStar } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, useDeferredValue, useMemo } from "react";
import type { Schemas, Environment } from "../../shared/api/types.ts";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useFavourites } from "../../shared/flags/use-favourites.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import { useSelection } from "./bulk/selection.ts";
import { FlagCards } from "./FlagCards.tsx";
import classes from "./FlagList.module.css";
import { FlagTable } from "./FlagTable.tsx";
import type { FlagsPageData } from "./flags-query.ts";
import { type Columns, defaultColumns } from "./columns.ts";
import { ColumnPicker, SavedFilters, SelectionBar } from "./lazy.ts";
import { usageEnvironment } from "./usage-environment.ts";
import { usageQuery } from "../../shared/data/usage-of-flags.ts";
import { isFiltered, toQuery, countFilters, type FlagsSearch } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

interface Props {
  page: FlagsPageData;
  /** True while `page` holds the result of the previous filters and the new result loads. */
  isOutdated: boolean;
}

const NONE: Schemas["EnrichedFlag"]["environments"] = [];

export function FlagList({ page, isOutdated }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { search, change, clear } = useFlagsSearch();
  const filters = toQuery({ ...search, page: undefined, sort: undefined });
  const selection = useSelection(
    JSON.stringify([projectId, filters]),
    isOutdated ? [] : page.items,
  );
  const favourites = useFavourites(projectId);
  const canWrite = useCan("flag:write");
  const isNarrow = useIsNarrow();
  const { items, totalItems, totalPages, size, similarTo } = page;
  const columns = useColumns(items[0]?.environments ?? NONE);
  const { data: usage } = useQuery({
    ...usageQuery(
      items[0] && usageEnvironment(items[0])?.id,
      items.map(({ id }) => id),
    ),
    placeholderData: keepPreviousData,
    ...(!columns.has("usage") && { enabled: false }),
  });
  // Defer the rendering of the flags, so that typing in the search box stays responsive.
  const rows = useDeferredValue(items);
  const isOld = isOutdated || rows.some((row, index) => row !== items[index]);

  const List = isNarrow ? FlagCards : FlagTable;

  const first = page.page * size + 1;
  return (
    <div className={classes.page}>
      {selection.chosen.size > 0 && (
        <Suspense>
          <SelectionBar
            selection={selection}
            query={{ ...toQuery(search), projectId }}
            totalItems={totalItems}
          />
        </Suspense>
      )}
      <div className={classes.head}>
        <Text size="sm" c="dimmed" role="status">
          {similarTo !== undefined
            ? t("flags.similar", { text: similarTo, count: totalItems })
            : totalPages > 1 && items.length > 0
              ? t("flags.range", { first, last: first + items.length - 1, count: totalItems })
              : t("flags.count", { count: totalItems })}
        </Text>
        <div className={classes.tools}>
          {!isNarrow && !isFiltered(search) && <RecentFlags />}
          <Suspense>
            <SavedFilters />
            <ColumnPicker columns={columns} />
          </Suspense>
        </div>
      </div>
      {totalItems === 0 ? (
        <NoMatch search={search} onClear={clear} />
      ) : (
        <div className={classes.list} data-outdated={isOld || undefined}>
          <List
            flags={rows}
            selection={canWrite ? selection : undefined}
            favouriteIds={favourites.ids}
            columns={columns}
            usage={usage}
            onFavourite={favourites.set}
          />
        </div>
      )}
      <ListPagination
        page={search.page ?? 1}
        pages={totalPages}
        isEmpty={!isOutdated && items.length === 0}
        onPage={(number, how) => change({ page: number }, how)}
      />
    </div>
  );
}

interface NoMatchProps {
  search: FlagsSearch;
  onClear: () => void;
}

/** The text that replaces the list if no flag matches the search and the filters. */
function NoMatch({ search, onClear }: NoMatchProps) {
  const { t } = useTranslation();
  const onlyFavourites =
    search.favourite && search.search === undefined && countFilters(search) === 1;
  return (
    <EmptyState
      Icon={onlyFavourites ? IconStar : IconFilterOff}
      title={t(onlyFavourites ? "flags.noFavouritesTitle" : "flags.noMatchTitle")}
      action={
        <Button variant="default" onClick={onClear}>
          {t(onlyFavourites ? "flags.showAll" : "flags.clearFilters")}
        </Button>
      }
    >
      {t(onlyFavourites ? "flags.noFavouritesText" : "flags.noMatchText")}
    </EmptyState>
  );
}

/**
 * Returns the columns that the user has chosen, or else the default ones. Returns the same set as
 * before if nothing has changed, so that the rows do not render again.
 */
function useColumns(environments: readonly Pick<Environment, "id" | "production">[]): Columns {
  const { data } = useQuery(preferencesQuery(useProjectId()));
  const words = (data?.columns ?? defaultColumns(environments)).join(" ");
  return useMemo(() => new Set(words.split(" ").filter((word) => word !== "")), [words]);
}

/** The list of flags links to at most this many of the flags that the user opened last. */
const SHOWN = 4;

function RecentFlags() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { data } = useQuery(preferencesQuery(projectId));
  const recent = data?.recent.slice(0, SHOWN) ?? [];
  if (recent.length === 0) return null;
  return (
    <nav className={classes.recent} aria-label={t("recentFlags.title")}>
      <span className={classes.title} aria-hidden>
        {t("recentFlags.title")}
      </span>
      {recent.map(({ id, name }) => (
        <LinkAnchor
          key={id}
          size="sm"
          className={classes.flag}
          title={name}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: id }}
        >
          {name}
        </LinkAnchor>
      ))}
    </nav>
  );
}
