import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { ListPagination } from "./ListPagination.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { useFilteredList } from "./use-filtered-list.ts";

interface Props<T> {
  items: readonly T[];
  /** Returns the text of an item in which the search looks. */
  text: (item: T) => string;
  /** The accessible name of the search box. */
  searchLabel: string;
  /** Renders one page of the matching items. Never called with an empty list. */
  children: (items: readonly T[]) => ReactNode;
}

/** The number of items above which a list has a search box. */
const SEARCHABLE = 8;

/** The number of items per page. It is small, because each row may send a request of its own. */
const PAGE_SIZE = 20;

/**
 * A list whose items are all loaded. A list of more than a few items has a search box, and a list
 * longer than one page has page navigation. The search box also stays while a search text is set.
 */
export function SearchableList<T>({ items, text, searchLabel, children }: Props<T>) {
  const { t } = useTranslation();
  const { search, shown, onSearch, ...pages } = useFilteredList(items, text, PAGE_SIZE);
  return (
    <Stack gap="sm">
      {(items.length > SEARCHABLE || search !== "") && (
        <FilterBar
          label={t("filters.bar")}
          search={{ label: searchLabel, value: search, onSearch }}
        />
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
