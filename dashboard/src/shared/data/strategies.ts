import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

/** One strategy per environment, in the order of `environmentsQuery`. */
export const strategiesQuery = (flagId: number) =>
  queryOptions({
    queryKey: ["flag", flagId, "strategies"],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/flags/{flagId}/strategies", {
          params: { path: { flagId }, query },
          signal,
        }),
      ),
  });
