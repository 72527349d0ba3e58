import type { Constraint } from "../api/types.ts";

/** In the same order. An absent `caseInsensitive` or `inverted` equals `false`. */
export const isSameConstraints = (a: readonly Constraint[], b: readonly Constraint[]): boolean =>
  JSON.stringify(a.map(normalized)) === JSON.stringify(b.map(normalized));

/** Returns the properties of a constraint as a list, with `false` for absent properties. */
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
