import { queryOptions } from "@tanstack/react-query";
import { everything } from "../api/response.ts";
import { api } from "../api/client.ts";

export const integrationsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["integrations", projectId],
    queryFn: ({ signal }) =>
      everything((query) =>
        api.GET("/api/v1/integrations", { params: { query: { ...query, projectId } }, signal }),
      ),
  });
