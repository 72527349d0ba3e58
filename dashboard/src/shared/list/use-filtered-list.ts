import { useNavigate, useSearch } from "@tanstack/react-router";

/**
 * What of a list that is there as a whole is shown: the words that are looked for and the page are
 * those of the address, where `validateListSearch` has read them. `text`: where the words are looked
 * for.
 */
export function useFilteredList<T>(
  items: readonly T[],
  text: (item: T) => string,
  pageSize = Number.POSITIVE_INFINITY,
) {
  const { search = "", page = 1 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const words = search.toLowerCase();
  const found = items.filter((item) => text(item).toLowerCase().includes(words));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const current = Math.min(page, pages);
  return {
    search,
    found,
    /** Those of the page. */
    shown: found.slice((current - 1) * pageSize, current * pageSize),
    page: current,
    pages,
    onSearch: (typed: string) =>
      void navigate({
        to: ".",
        search: (before) => ({ ...before, search: typed || undefined, page: undefined }),
        replace: true,
        resetScroll: false,
      }),
    onPage: (next: number) =>
      void navigate({ to: ".", search: (before) => ({ ...before, page: next }) }),
  };
}
