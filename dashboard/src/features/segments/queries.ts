import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** Throws: ApiError 404. */
export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })),
  });

/** The first `size` flags that use the segment in any environment, and their total number. */
export const flagsUsingSegmentQuery = (projectId: number, segmentId: number, size: number) =>
  queryOptions({
    queryKey: ["flags", "of-segment", projectId, segmentId, size],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags", {
          // An archived flag still uses its segments.
          params: { query: { projectId, segmentId, includeArchived: true, sort: "name", size } },
          signal,
        }),
      ),
  });
