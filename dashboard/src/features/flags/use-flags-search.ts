import { getRouteApi } from "@tanstack/react-router";
import type { FlagsSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/flags");

/** What the address asks for, and the way to ask for something else. */
export function useFlagsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Shows the first page, unless told otherwise. */
  const change = (part: FlagsSearch, { replace = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...part }),
      replace,
      resetScroll: part.page !== undefined,
    });
  return {
    search,
    change,
    /** Only the order stays. */
    clear: () =>
      void navigate({ search: ({ sort }) => ({ sort }), replace: false, resetScroll: false }),
  };
}
