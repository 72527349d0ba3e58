import type { Constraint } from "../api/types.ts";

interface Props {
  projectId: number;
  value: readonly Constraint[];
  onChange: (value: Constraint[]) => void;
  /** What the server or the form finds wrong, by the path below the list, such as `0.values`. */
  faults?: Readonly<Record<string, string>> | undefined;
}

/** Constraints that must all hold, each built of a field, an operator that fits it, and values. */
export function ConstraintsEditor(_props: Props) {
  return null;
}
