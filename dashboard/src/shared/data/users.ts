import { queryOptions } from "@tanstack/react-query";
import { sortedByName } from "../compare-names.ts";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

/** All users by name. The API permits this only to administrators. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/users", { params: { query }, signal })),
  select: sortedByName,
});

/** The query (React Query) for the ids and names of those who own flags of a project. */
export const flagOwnersQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["users", "owners", projectId],
    queryFn: ({ signal }) =>
      fetchAllPages((page) => {
        const query = { ...page, ownersIn: projectId };
        return api.GET("/api/v1/users/names", { params: { query }, signal });
      }),
  });

/** The query (React Query) for the ids and names of all users, which every user may read. */
export const peopleQuery = queryOptions({
  queryKey: ["users", "names"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/users/names", { params: { query }, signal })),
  staleTime: 60_000,
});
