import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { listOfProject } from "../../shared/data/list-of-project.ts";

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
export const countedContextsQuery = listOfProject(
  "contexts",
  (page, signal) => {
    const query = { ...page, counts: true };
    return api.GET("/api/v1/contexts", { params: { query }, signal });
  },
  "counted",
);
