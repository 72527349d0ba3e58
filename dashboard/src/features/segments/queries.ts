import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** Errors: 404. */
export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })),
  });

/** Of the flags that use a segment in any environment the first few, and how many there are. */
export const usersQuery = (projectId: number, segmentId: number, size: number) =>
  queryOptions({
    queryKey: ["flags", "of-segment", projectId, segmentId, size],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags", {
          // An archived flag holds its segments, too.
          params: { query: { projectId, segmentId, includeArchived: true, sort: "name", size } },
          signal,
        }),
      ),
  });
