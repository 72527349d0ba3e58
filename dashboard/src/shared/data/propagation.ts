import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** How far the newest rules of an environment have come among the SDK instances. */
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
