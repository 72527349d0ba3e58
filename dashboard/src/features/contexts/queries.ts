import { read, readAll } from "../../shared/api/request.ts";

/** Throws: ApiError 404 if the context definition does not exist. */
export const contextQuery = (definitionId: number) =>
  read("/api/v1/contexts/{definitionId}", { path: { definitionId } });

/** The context definitions of a project, each with the number of its known values. */
export const countedContextsQuery = (projectId: number) =>
  readAll("/api/v1/contexts", { query: { projectId, counts: true } });
