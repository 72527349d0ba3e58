import { read, readAll } from "../../shared/api/request.ts";

/** Throws: ApiError 404 if the segment does not exist. */
export const segmentQuery = (id: number) => read("/api/v1/segments/{id}", { path: { id } });

/** The segments of a project, each with the number of flags that use it. */
export const countedSegmentsQuery = (projectId: number) =>
  readAll("/api/v1/segments", { query: { projectId, counts: true } });

/** The first `size` flags by name that use the segment anywhere, and their total number. */
export const flagsUsingSegmentQuery = (projectId: number, segmentId: number, size: number) =>
  read("/api/v1/flags", {
    // Include archived flags, because they still use their segments.
    query: { projectId, segmentId: [segmentId], includeArchived: true, sort: "name", size },
  });
