import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/**
 * The React Query options that load one segment.
 * Throws: ApiError 404 if the segment does not exist.
 */
export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })),
  });

/**
 * The React Query options that load the segments of a project, each with the number of flags that
 * use it.
 */
export const countedSegmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["segments", projectId, "counted"],
    queryFn: ({ signal }) =>
      fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/segments", { params: { query }, signal });
      }),
  });

/**
 * The React Query options that load the first `size` flags (by name) that use the segment in any
 * environment, and the total number of such flags.
 */
export const flagsUsingSegmentQuery = (projectId: number, segmentId: number, size: number) =>
  queryOptions({
    queryKey: ["flags", "of-segment", projectId, segmentId, size],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags", {
          // Include archived flags, because they still use their segments.
          params: { query: { projectId, segmentId, includeArchived: true, sort: "name", size } },
          signal,
        }),
      ),
  });
