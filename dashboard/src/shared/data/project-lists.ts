import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";
import { listOfProject } from "./list-of-project.ts";

export const tagsQuery = listOfProject("tags", (query, signal) =>
  api.GET("/api/v1/tags", { params: { query }, signal }),
);

export const segmentsQuery = listOfProject("segments", (query, signal) =>
  api.GET("/api/v1/segments", { params: { query }, signal }),
);

export const contextsQuery = listOfProject("contexts", (query, signal) =>
  api.GET("/api/v1/contexts", { params: { query }, signal }),
);

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
export const apiKeysQuery = listOfProject("api-keys", (query, signal) =>
  api.GET("/api/v1/api-keys", { params: { query }, signal }),
);

export const integrationsQuery = listOfProject("integrations", (query, signal) =>
  api.GET("/api/v1/integrations", { params: { query }, signal }),
);
