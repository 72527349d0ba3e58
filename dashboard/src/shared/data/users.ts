import { queryOptions } from "@tanstack/react-query";
import { fetchAllPages } from "../api/response.ts";
import { api } from "../api/client.ts";

/** All users, sorted by name. Only administrators may read them. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) =>
    fetchAllPages((query) => api.GET("/api/v1/users", { params: { query }, signal })),
  select: (users) => users.toSorted((a, b) => a.name.localeCompare(b.name)),
});
