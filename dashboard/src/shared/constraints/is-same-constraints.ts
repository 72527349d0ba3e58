import type { Constraint } from "../api/types.ts";

/** Whether two lists have equal constraints in the same order. */
export const isSameConstraints = (a: readonly Constraint[], b: readonly Constraint[]): boolean =>
  JSON.stringify(a.map(normalized)) === JSON.stringify(b.map(normalized));

/** Sets the optional properties, because an absent property and `false` are equal. */
const normalized = ({
  field,
  operator,
  contextType,
  values,
  caseInsensitive,
  inverted,
}: Constraint) => [
  field,
  operator,
  contextType,
  values,
  caseInsensitive ?? false,
  inverted ?? false,
];
