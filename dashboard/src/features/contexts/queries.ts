import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** Throws: ApiError 404 if the context definition does not exist. */
export const contextQuery = (definitionId: number) =>
  queryOptions({
    queryKey: ["contexts", "one", definitionId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/contexts/{definitionId}", { params: { path: { definitionId } }, signal }),
      ),
  });

/** The context definitions of a project, each with the number of its known values. */
export const countedContextsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["contexts", projectId, "counted"],
    queryFn: ({ signal }) =>
      fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/contexts", { params: { query }, signal });
      }),
  });
