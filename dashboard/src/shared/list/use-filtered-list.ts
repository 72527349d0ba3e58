import { useNavigate, useSearch } from "@tanstack/react-router";

/**
 * Filters a completely loaded list by the URL search parameter `search` and divides the list into
 * pages. The parameter `page` selects the page. The route must parse both parameters with
 * `validateListSearch`. `text` returns the text of an item in which to search. Without
 * `pageSize`, all items are on one page.
 */
export function useFilteredList<T>(
  items: readonly T[],
  text: (item: T) => string,
  pageSize = Number.POSITIVE_INFINITY,
) {
  const { search = "", page = 1 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = search.toLowerCase();
  const found = items.filter((item) => text(item).toLowerCase().includes(query));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const current = Math.min(page, pages);
  return {
    search,
    found,
    shown: found.slice((current - 1) * pageSize, current * pageSize),
    page: current,
    pages,
    onSearch: (typed: string) =>
      void navigate({
        to: ".",
        search: (previous) => ({ ...previous, search: typed || undefined, page: undefined }),
        replace: true,
        resetScroll: false,
      }),
    onPage: (next: number) =>
      void navigate({ to: ".", search: (previous) => ({ ...previous, page: next }) }),
  };
}
