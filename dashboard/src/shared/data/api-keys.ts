import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

/** The API keys of all environments of a project, without the secrets. */
export const apiKeysQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["api-keys", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/api-keys", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
