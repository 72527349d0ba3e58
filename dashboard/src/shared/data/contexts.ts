import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const contextsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["contexts", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/contexts", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

export const contextValuesQuery = (definitionId: number) =>
  queryOptions({
    queryKey: ["contexts", "values", definitionId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/contexts/{definitionId}/values", {
          params: { path: { definitionId }, query },
          signal,
        }),
      ),
  });
