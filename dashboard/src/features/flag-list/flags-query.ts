import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas } from "../../shared/api/types.ts";
import type { similarFlags } from "../../shared/flags/similar-flags.ts";
import { type FlagsSearch, toQuery } from "./search-params.ts";

export interface FlagsPageData extends Omit<Schemas["EnrichedFlagPage"], "items"> {
  readonly items: Schemas["EnrichedFlag"][];
  /** The searched text, if no flag contains it and `items` are the flags that are similar. */
  readonly similarTo?: string;
}

/**
 * One page of flags. If no flag contains the searched text, the flags that are similar to it. While
 * another page or other filters load, keeps the previous result.
 */
export const flagsQuery = (projectId: number, search: FlagsSearch) => {
  const query = { ...toQuery(search), projectId };
  return queryOptions({
    queryKey: ["flags", projectId, "table", query],
    queryFn: async ({ signal }): Promise<FlagsPageData> => {
      const load = (changed: Pick<typeof query, "search" | "size" | "page">) =>
        dataOf(
          api.GET("/api/v1/flags/enriched", {
            params: { query: { ...query, ...changed, counts: true } },
            signal,
          }),
        );
      const page = await load({});
      const text = search.search?.trim();
      if (page.totalItems > 0 || text === undefined) return page;
      const items = await similar(
        text,
        async (part, size) => (await load({ search: part, size, page: 0 })).items,
      );
      if (items.length === 0) return page;
      return {
        ...page,
        items: [...items],
        totalItems: items.length,
        totalPages: 1,
        similarTo: text,
      };
    },
    placeholderData: keepPreviousData,
  });
};

/**
 * Loads the library for typing errors, which only a search without a result needs. If that fails,
 * returns no flags: the list then says that no flag matches.
 */
const similar: typeof similarFlags = async (text, load) => {
  try {
    const { similarFlags: find } = await import("../../shared/flags/similar-flags.ts");
    return await find(text, load);
  } catch {
    return [];
  }
};
