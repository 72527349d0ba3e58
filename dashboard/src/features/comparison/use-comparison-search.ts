import { getRouteApi } from "@tanstack/react-router";
import type { ComparisonSearch } from "./search-params.ts";

const route = getRouteApi("/projects/$projectId/environments/compare");

/** Returns the URL search parameters of the page, and a function that changes some of them. */
export function useComparisonSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    /** Opens page 1, unless the change names a page. */
    change: (change: ComparisonSearch, how: { replace: boolean } = { replace: true }) =>
      void navigate({
        search: { ...search, page: undefined, ...change },
        resetScroll: change.page !== undefined,
        ...how,
      }),
  };
}
