import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ListPagination } from "./ListPagination.tsx";
import { SearchBox } from "./SearchBox.tsx";
import { useFilteredList } from "./use-filtered-list.ts";

interface Props<T> {
  items: readonly T[];
  /** Returns the text of an item that the search is applied to. */
  text: (item: T) => string;
  /** Accessible name of the search box. */
  searchLabel: string;
  /** Renders one page of the matching items; never called with an empty list. */
  children: (items: readonly T[]) => ReactNode;
}

/** Small enough that each row may send a request of its own. */
const PAGE_SIZE = 20;

/** A list that is fully loaded. It gets a search box and pages when it is longer than one page. */
export function SearchableList<T>({ items, text, searchLabel, children }: Props<T>) {
  const { t } = useTranslation();
  const { search, shown, onSearch, ...pages } = useFilteredList(items, text, PAGE_SIZE);
  return (
    <Stack>
      {(items.length > PAGE_SIZE || search !== "") && (
        <SearchBox maw="20rem" label={searchLabel} value={search} onSearch={onSearch} />
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
