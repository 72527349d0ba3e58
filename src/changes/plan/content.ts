import type { Constraint } from "@feature-flags/evaluation/rule";
import type { ChangeOf } from "../../core/lib/input.ts";

/** The fields of segments, tags and context definitions that users set. */

export interface SegmentContent {
  readonly name: string;
  readonly description: string | null;
  readonly constraints: readonly Constraint[];
}

/** Returns the content of a segment. A request can leave the description out. */
export const segmentContent = ({
  name,
  description = null,
  constraints,
}: Omit<SegmentContent, "description"> & ChangeOf<Pick<SegmentContent, "description">>) => ({
  name,
  description,
  constraints,
});

export type TagContent = Readonly<Record<"name" | "color", string>>;

export const tagContent = ({ name, color }: TagContent): TagContent => ({ name, color });

export type ContextContent = Readonly<Record<"name" | "contextKey" | "contextType", string>>;

export const contextContent = ({ name, contextKey, contextType }: ContextContent) => ({
  name,
  contextKey,
  contextType,
});
