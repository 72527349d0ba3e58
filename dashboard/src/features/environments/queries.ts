import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { fetchAllPages } from "../../shared/api/response.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";

/**
 * The React Query options that load the environments of a project, each with its numbers of flags
 * that are on and of API keys. Also stores the result for `environmentsQuery`.
 */
export const countedEnvironmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["environments", projectId, "counted"],
    queryFn: async ({ client, signal }) => {
      const environments = await fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/environments", { params: { query }, signal });
      });
      client.setQueryData(environmentsQuery(projectId).queryKey, environments);
      return environments;
    },
  });
