import { getRouteApi } from "@tanstack/react-router";
import type { FlagsSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/flags");

/** Reads the filters of the flags page from the URL, and changes them there. */
export function useFlagsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes filters and opens the first page, unless `changed` contains a page. */
  const change = (changed: FlagsSearch, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...changed }),
      replace,
      resetScroll: changed.page !== undefined,
    });
  return {
    search,
    change,
    /** Removes all filters and keeps the sort order. */
    clear: () =>
      void navigate({ search: ({ sort }) => ({ sort }), replace: false, resetScroll: false }),
  };
}
