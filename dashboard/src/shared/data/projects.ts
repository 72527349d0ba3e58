import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/projects", { params: { query }, signal })),
});

/** Loads one project. Throws: ApiError 404 if it does not exist. */
export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ["projects", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/projects/{id}", { params: { path: { id } }, signal })),
  });
