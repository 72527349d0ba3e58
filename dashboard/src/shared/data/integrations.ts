import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const integrationsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["integrations", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/integrations", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
