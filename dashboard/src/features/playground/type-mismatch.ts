import { findOperator } from "@feature-flags/evaluation/operators";
import { textOf } from "./context-rows.ts";

/**
 * The context types for which some texts are invalid values. For the type `string`, every text is
 * valid.
 */
const STRICT_TYPES = ["number", "boolean", "date", "semver", "ip"] as const;

/**
 * Returns the type of a context field if the value cannot be parsed as this type, so that no
 * comparison in a constraint holds for the value. Returns undefined if the value is valid.
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
