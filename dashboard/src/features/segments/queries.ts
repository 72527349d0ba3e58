import { queryOptions } from "@tanstack/react-query";
import { dataOf, fetchAllPages } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";

/** Throws: ApiError 404 if the segment does not exist. */
export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })),
  });

/** The segments of a project, each with the number of flags that use it. */
export const countedSegmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["segments", projectId, "counted"],
    queryFn: ({ signal }) =>
      fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/segments", { params: { query }, signal });
      }),
  });

/** The first `size` flags by name that use the segment anywhere, and their total number. */
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
