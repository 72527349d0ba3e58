import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { type FlagsSearch, toQuery } from "./search-params.ts";

/** One page of flags. While another page or other filters load, keeps the previous result. */
export const flagsQuery = (projectId: number, search: FlagsSearch) => {
  const query = { ...toQuery(search), projectId };
  return queryOptions({
    queryKey: ["flags", projectId, "table", query],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/flags/enriched", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
};
