import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** With the names of what the flag refers to. Throws: ApiError 404. */
export const flagQuery = (id: number) =>
  queryOptions({
    queryKey: ["flag", id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags/{id}", {
          params: { path: { id }, query: { related: true } },
          signal,
        }),
      ),
  });
