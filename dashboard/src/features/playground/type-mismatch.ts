import { findOperator } from "@feature-flags/evaluation/operators";
import { textOf } from "./context-rows.ts";

/** The types that not every text is of. */
const NARROW = ["number", "boolean", "date", "semver", "ip"] as const;

/** The type of the field, when the value is not of it, so that evaluators take it for missing. */
export function typeMismatch(
  value: unknown,
  contextType: string,
): (typeof NARROW)[number] | undefined {
  if (value === undefined) return undefined;
  const type = NARROW.find((narrow) => narrow === contextType);
  const parsed = type && findOperator(type, "equals")?.operator.compile([textOf(value)], false);
  return typeof parsed === "object" ? type : undefined;
}
