import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const tagsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["tags", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/tags", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

export const segmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["segments", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/segments", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

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

/** The API keys of all environments of a project, without the secrets. */
export const apiKeysQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["api-keys", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/api-keys", { params: { query: { ...query, projectId } }, signal }),
      ),
  });

export const integrationsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["integrations", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/integrations", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
