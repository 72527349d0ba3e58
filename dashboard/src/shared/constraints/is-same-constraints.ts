import type { Constraint } from "../api/types.ts";

/** Whether both lists say the same, in the same order. */
export const isSameConstraints = (a: readonly Constraint[], b: readonly Constraint[]): boolean =>
  JSON.stringify(a.map(said)) === JSON.stringify(b.map(said));

/** What is left out and what is false are the same. */
const said = ({ field, operator, contextType, values, caseInsensitive, inverted }: Constraint) => [
  field,
  operator,
  contextType,
  values,
  caseInsensitive ?? false,
  inverted ?? false,
];
