import { getRouteApi } from "@tanstack/react-router";
import type { FlagsSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/flags");

/** Reads and changes the filters in the URL. */
export function useFlagsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Goes back to the first page, unless the change names a page. */
  const change = (changed: FlagsSearch, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...changed }),
      replace,
      resetScroll: changed.page !== undefined,
    });
  return {
    search,
    change,
    /** Removes all filters and keeps the order. */
    clear: () =>
      void navigate({ search: ({ sort }) => ({ sort }), replace: false, resetScroll: false }),
  };
}
