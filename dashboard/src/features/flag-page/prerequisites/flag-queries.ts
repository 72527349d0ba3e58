import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../shared/api/client.ts";
import { read } from "../../../shared/api/request.ts";
import { dataOf } from "../../../shared/api/response.ts";

/** The number of flags that a search offers. The user narrows them by typing. */
const MAX_OFFERED = 20;
const PAGE_SIZE = 100;

/** The React Query options that find flags of a project by name or key. Without archived flags. */
export const flagSearchQuery = (projectId: number, search: string) =>
  read(
    "/api/v1/flags",
    { query: { projectId, size: MAX_OFFERED, sort: "name", ...(search !== "" && { search }) } },
    { select: ({ items }) => items, placeholderData: keepPreviousData },
  );

/**
 * The React Query options that load the flag with a key. The API has no such request, so this
 * searches for the key, which other flags may contain too. Null if there is no such flag.
 */
export const flagByKeyQuery = (projectId: number, key: string) =>
  queryOptions({
    queryKey: ["flags", projectId, "by-key", key],
    queryFn: async ({ signal }) => {
      for (let page = 0; ; page++) {
        const query = { projectId, search: key, includeArchived: true, page, size: PAGE_SIZE };
        const { items, totalPages } = await dataOf(
          api.GET("/api/v1/flags", { params: { query }, signal }),
        );
        const found = items.find((flag) => flag.key === key);
        if (found) return found;
        if (page + 1 >= totalPages) return null;
      }
    },
    enabled: key !== "",
    staleTime: 60_000,
  });
