import { fieldFaults } from "../../shared/api/field-faults.ts";
import { refusedConstraints } from "../../shared/constraints/faults.ts";

/** What the server refuses of a strategy, where it concerns a part of the form. */
export interface StrategyFaults {
  percentage?: string | undefined;
  stickiness?: string | undefined;
  segmentIds?: string | undefined;
  /** By the path below the list, such as `0.values`. */
  constraints?: Readonly<Record<string, string>>;
}

const FIELDS = ["percentage", "stickiness", "segmentIds"] as const;

export function strategyFaults(error: unknown): StrategyFaults {
  const faults = Object.entries(fieldFaults(error));
  const constraints = refusedConstraints(error);
  const found: StrategyFaults = Object.keys(constraints).length > 0 ? { constraints } : {};
  for (const part of FIELDS) {
    // A segment is one of a list, and has no field of its own.
    const fault = faults.find(([field]) => field === part || field.startsWith(`${part}.`));
    if (fault) found[part] = fault[1];
  }
  return found;
}
