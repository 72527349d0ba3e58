import type { Constraint } from "@feature-flags/evaluation/rule";

/** The fields of segments, tags and context definitions that users set. */

export interface SegmentContent {
  readonly name: string;
  readonly description: string | null;
  readonly constraints: readonly Constraint[];
}

export const segmentContent = ({ name, description, constraints }: SegmentContent) => ({
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
