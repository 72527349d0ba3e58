import { read, readAll } from "../api/request.ts";

/** With the names of what the flag refers to. Throws: ApiError 404. */
export const flagQuery = (id: number) =>
  read("/api/v1/flags/{id}", { path: { id }, query: { related: true } });

/** The query (React Query) for the number of flags in a project, without archived flags. */
export const flagCountQuery = (projectId: number) =>
  read(
    "/api/v1/flags",
    { query: { projectId, size: 1 } },
    { select: ({ totalItems }) => totalItems },
  );

/** The number of flags that are on in one environment, without archived flags. */
export const flagsOnQuery = (projectId: number, environmentId: number) =>
  read(
    "/api/v1/flags/by-environment",
    { query: { projectId, environmentId, state: "on", size: 1 } },
    { select: ({ totalItems }) => totalItems },
  );

/** One strategy per environment, in the order of `environmentsQuery`. */
export const strategiesQuery = (flagId: number) =>
  readAll("/api/v1/flags/{flagId}/strategies", { path: { flagId } });
