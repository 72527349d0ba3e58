import { queryOptions } from "@tanstack/react-query";
import { type Fetched, fetchAllPages } from "../api/response.ts";

interface PageOfProject {
  readonly page: number;
  readonly size: number;
  readonly projectId: number;
}

/**
 * Creates the query for all items of a list of a project, from the request for one page. Two queries
 * with the same `name` differ by `variant`.
 */
export const listOfProject =
  <T>(
    name: string,
    request: (query: PageOfProject, signal: AbortSignal) => Promise<Fetched<T[]>>,
    variant?: string,
  ) =>
  (projectId: number) =>
    queryOptions({
      queryKey: [name, projectId, ...(variant === undefined ? [] : [variant])],
      queryFn: ({ signal }) => fetchAllPages((query) => request({ ...query, projectId }, signal)),
    });
