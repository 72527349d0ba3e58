import { sortedByName } from "../compare-names.ts";
import { readAll } from "../api/request.ts";

/** All users by name. The API permits this only to administrators. */
export const usersQuery = readAll("/api/v1/users", {}, { select: (users) => sortedByName(users) });

/** The query (React Query) for the ids and names of those who own flags of a project. */
export const flagOwnersQuery = (projectId: number) =>
  readAll("/api/v1/users/names", { query: { ownersIn: projectId } });

/** The query (React Query) for the ids and names of all users, which every user may read. */
export const peopleQuery = readAll("/api/v1/users/names", {}, { staleTime: 60_000 });
