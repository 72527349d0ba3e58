import { findOperator } from "@feature-flags/evaluation/operators";
import { textOf } from "./context-rows.ts";

/** The types that not every text can be parsed as. */
const NARROW = ["number", "boolean", "date", "semver", "ip"] as const;

/**
 * The type of the field if the value cannot be parsed as it, so that evaluators treat it as
 * missing. Undefined if the value fits.
 */
export function typeMismatch(
  value: unknown,
  contextType: string,
): (typeof NARROW)[number] | undefined {
  if (value === undefined) return undefined;
  const type = NARROW.find((narrow) => narrow === contextType);
  const parsed = type && findOperator(type, "equals")?.operator.compile([textOf(value)], false);
  return typeof parsed === "object" ? type : undefined;
}
