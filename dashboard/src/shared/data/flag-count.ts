import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../api/response.ts";
import { api } from "../api/client.ts";

/** The number of flags in the project, without archived ones. */
export const flagCountQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["flags", "count", projectId],
    queryFn: async ({ signal }) => {
      const query = { projectId, size: 1 };
      return (await dataOf(api.GET("/api/v1/flags", { params: { query }, signal }))).totalItems;
    },
  });

/** The number of those flags that are on in the environment. */
export const flagsOnQuery = (projectId: number, environmentId: number) =>
  queryOptions({
    queryKey: ["flags", "on", projectId, environmentId],
    queryFn: async ({ signal }) => {
      const query = { projectId, environmentId, state: "on" as const, size: 1 };
      const call = api.GET("/api/v1/flags/by-environment", { params: { query }, signal });
      return (await dataOf(call)).totalItems;
    },
  });
