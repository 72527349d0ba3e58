import type { Segment } from "../api/types.ts";

export type SegmentsById = ReadonlyMap<number, Segment>;

/** Returns the name of a segment. Until the segments have loaded, returns the id. */
export const segmentName = (id: number, segments: SegmentsById): string =>
  segments.get(id)?.name ?? `#${id}`;
