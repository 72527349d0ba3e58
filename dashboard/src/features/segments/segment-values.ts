import type { Segment } from "../../shared/api/types.ts";
import { isSameConstraints } from "../../shared/constraints/is-same-constraints.ts";

/** The fields of a segment that the segment form edits. */
export type SegmentValues = Pick<Segment, "name" | "constraints"> & { description: string };

export const toValues = ({ name, description, constraints }: Segment): SegmentValues => ({
  name,
  description: description ?? "",
  constraints,
});

export const isSameValues = (a: SegmentValues, b: SegmentValues): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  isSameConstraints(a.constraints, b.constraints);
