import { getRouteApi } from "@tanstack/react-router";
import type { FlagsSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/flags");

/** Returns the URL search parameters of the flags page, and functions that change them. */
export function useFlagsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Opens the first page, unless `changed` contains a page number. */
  const change = (changed: FlagsSearch, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...changed }),
      replace,
      resetScroll: changed.page !== undefined,
    });
  return {
    search,
    change,
    /** Removes the search text, all filters and the page number. Keeps the sort order. */
    clear: () =>
      void navigate({ search: ({ sort }) => ({ sort }), replace: false, resetScroll: false }),
  };
}
