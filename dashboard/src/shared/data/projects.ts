import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/projects", { params: { query }, signal })),
});

/**
 * The query (React Query) for one project. It fails with an ApiError 404 if the project does not
 * exist.
 */
export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ["projects", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/projects/{id}", { params: { path: { id } }, signal })),
  });
