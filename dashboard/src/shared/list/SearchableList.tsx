import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ListPagination } from "./ListPagination.tsx";
import { SearchBox } from "./SearchBox.tsx";
import { useFilteredList } from "./use-filtered-list.ts";

interface Props<T> {
  items: readonly T[];
  /** Where the words that somebody types are looked for. */
  text: (item: T) => string;
  /** What the search box is called. */
  searchLabel: string;
  /** A page of those that were found; never empty. */
  children: (items: readonly T[]) => ReactNode;
}

/** Few enough that each row may ask the server something of its own. */
const PAGE_SIZE = 20;

/** A list that is there as a whole, with a search box and pages once it is long. */
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
