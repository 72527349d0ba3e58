import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../api/response.ts";
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

/** The query (React Query) for the number of flags in a project, without archived flags. */
export const flagCountQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["flags", "count", projectId],
    queryFn: async ({ signal }) => {
      const query = { projectId, size: 1 };
      return (await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }))).totalItems;
    },
  });

/** The number of flags that are on in one environment, without archived flags. */
export const flagsOnQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["flags", "on", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const query = { projectId, environmentId, state: "on" as const, size: 1 };
      const call = api.GET("/api/v1/flags/by-environment", { params: { query }, signal });
      return (await dataOf(call)).totalItems;
    },
  });

/** One strategy per environment, in the order of `environmentsQuery`. */
export const strategiesQuery = (flagId: number) =>
  queryOptions({
    queryKey: ["flag", flagId, "strategies"],
    queryFn: ({ signal }) =>
      fetchAllPages((query) =>
        api.GET("/api/v1/flags/{flagId}/strategies", {
          params: { path: { flagId }, query },
          signal,
        }),
      ),
  });
