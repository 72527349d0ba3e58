import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** How many SDK instances of an environment have the newest rules. */
export const propagationQuery = (environmentId: number) =>
  queryOptions({
    queryKey: ["propagation", environmentId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/environments/{id}/propagation", {
          params: { path: { id: environmentId } },
          signal,
        }),
      ),
  });
