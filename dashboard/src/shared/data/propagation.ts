import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** Loads how many SDK instances have the newest rules of an environment. */
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
