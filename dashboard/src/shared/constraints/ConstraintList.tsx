import type { Constraint } from "../api/types.ts";

/** Constraints to be read: one line each, in words. */
export function ConstraintList(_props: { constraints: readonly Constraint[] }) {
  return null;
}
