import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/**
 * The React Query options that load one context definition.
 * Throws: ApiError 404 if the context definition does not exist.
 */
export const contextQuery = (definitionId: number) =>
  queryOptions({
    queryKey: ["contexts", "one", definitionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/contexts/{definitionId}", { params: { path: { definitionId } }, signal }),
      ),
  });

export const valueCountQuery = (definitionId: number) =>
  queryOptions({
    queryKey: ["contexts", "value-count", definitionId],
    queryFn: async ({ signal }) => {
      const { response } = await api.GET("/api/v1/contexts/{definitionId}/values", {
        params: { path: { definitionId }, query: { page: 0, size: 1 } },
        signal,
      });
      return Number(response.headers.get("X-Total-Count"));
    },
  });
