import { queryOptions } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import { listOfProject } from "../../shared/data/list-of-project.ts";

/** Throws: ApiError 404 if the segment does not exist. */
export const segmentQuery = (id: number) =>
  queryOptions({
    queryKey: ["segments", "one", id],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/segments/{id}", { params: { path: { id } }, signal })),
  });

/** The segments of a project, each with the number of flags that use it. */
export const countedSegmentsQuery = listOfProject(
  "segments",
  (page, signal) => {
    const query = { ...page, counts: true };
    return api.GET("/api/v1/segments", { params: { query }, signal });
  },
  "counted",
);

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
