import { Stack, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { ListPagination } from "./ListPagination.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { FilterControls } from "./FilterControls.tsx";
import { filterItems, type ListFilter } from "./filter-items.ts";
import { useFilteredList } from "./use-filtered-list.ts";

interface Props<T> {
  items: readonly T[];
  /** Returns the text of an item in which the search looks. */
  text: (item: T) => string;
  /** The accessible name of the search box. */
  searchLabel: string;
  filters?: readonly ListFilter<T>[];
  /** Renders one page of the matching items. Never called with an empty list. */
  children: (items: readonly T[]) => ReactNode;
}

/** The number of items above which a list has a search box and filters. */
const SEARCHABLE = 8;

const NONE = [] as const;

/** The number of items per page. It is small, because each row may send a request of its own. */
const PAGE_SIZE = 20;

/**
 * A list whose items are all loaded. A list of more than a few items has a search box and the
 * filters, and a list longer than one page has page navigation. The search box and the filters also
 * stay while one of them is set.
 */
export function SearchableList<T>({
  items,
  text,
  searchLabel,
  filters = NONE,
  children,
}: Props<T>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const chosen = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const { left, values } = filterItems(items, filters, chosen);
  const { search, shown, onSearch, ...pages } = useFilteredList(left, text, PAGE_SIZE);
  const isFiltered = values.some((value) => value !== undefined);
  const change = (changed: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: ".",
      search: (previous) => ({ ...previous, ...changed, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Stack gap="sm">
      {(items.length > SEARCHABLE || search !== "" || isFiltered) && (
        <FilterBar
          label={t("filters.bar")}
          search={{ label: searchLabel, value: search, onSearch }}
        >
          {filters.length > 0 && (
            <FilterControls
              filters={filters.map(({ name, label, options }, index) => ({
                label,
                options,
                value: values[index],
                onChange: (value) => change({ [name]: value }),
              }))}
              onClear={
                isFiltered
                  ? () => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))
                  : undefined
              }
            />
          )}
        </FilterBar>
      )}
      {shown.length > 0 ? (
        children(shown)
      ) : (
        <Text c="dimmed" role="status">
          {t("shell.searchEmpty")}
        </Text>
      )}
      <ListPagination {...pages} />
    </Stack>
  );
}
