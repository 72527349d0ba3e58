import { CloseButton, Pagination, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

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
export function LongList<T>({ items, text, searchLabel, children }: Props<T>) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const words = search.trim().toLowerCase();
  const found = items.filter((item) => text(item).toLowerCase().includes(words));
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const shown = Math.min(page, pages);
  const find = (typed: string) => {
    setSearch(typed);
    setPage(1);
  };

  return (
    <Stack>
      {(items.length > PAGE_SIZE || search !== "") && (
        <TextInput
          type="search"
          aria-label={searchLabel}
          placeholder={searchLabel}
          maw="20rem"
          leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
          rightSection={
            search !== "" && (
              <CloseButton size="sm" aria-label={t("common.clear")} onClick={() => find("")} />
            )
          }
          value={search}
          onChange={({ currentTarget }) => find(currentTarget.value)}
        />
      )}
      {found.length > 0 ? (
        children(found.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE))
      ) : (
        <Text c="dimmed" role="status">
          {t("shell.searchEmpty")}
        </Text>
      )}
      {pages > 1 && (
        <Pagination
          component="nav"
          total={pages}
          value={shown}
          onChange={setPage}
          getItemProps={(number) => ({
            "aria-label": t("common.page", { page: number, pages }),
          })}
          getControlProps={(control) => ({
            "aria-label": t(control === "previous" ? "flags.previousPage" : "flags.nextPage"),
          })}
        />
      )}
    </Stack>
  );
}
