import { findOperator } from "@feature-flags/evaluation/operators";
import { textOf } from "./context-rows.ts";

/** The types for which some texts are invalid. Every text is a valid string. */
const STRICT_TYPES = ["number", "boolean", "date", "semver", "ip"] as const;

/**
 * Returns the type of a field if the value cannot be parsed as this type. Evaluators treat such a
 * value as missing. Returns undefined if the value is valid.
 */
export function typeMismatch(
  value: unknown,
  contextType: string,
): (typeof STRICT_TYPES)[number] | undefined {
  if (value === undefined) return undefined;
  const type = STRICT_TYPES.find((strict) => strict === contextType);
  const parsed = type && findOperator(type, "equals")?.operator.compile([textOf(value)], false);
  return typeof parsed === "object" ? type : undefined;
}
