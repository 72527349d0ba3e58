import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/**
 * The React Query options that load one flag, with the names of what it refers to.
 * Throws: ApiError 404 if the flag does not exist.
 */
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
