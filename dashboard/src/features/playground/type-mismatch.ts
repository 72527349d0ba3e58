import { findOperator } from "@feature-flags/evaluation/operators";
import { Re2Pool } from "@feature-flags/evaluation/regex";
import { textOf } from "./context-rows.ts";

/** The context types that reject some texts. `string` accepts every text. */
const STRICT_TYPES = ["number", "boolean", "date", "semver", "ip"] as const;

/**
 * Returns the type of a context field if the value cannot be parsed as this type. A comparison such
 * as `gte` never holds for such a value. Returns undefined if the value is valid.
 */
export function typeMismatch(
  value: unknown,
  contextType: string,
): (typeof STRICT_TYPES)[number] | undefined {
  if (value === undefined) return undefined;
  const type = STRICT_TYPES.find((strict) => strict === contextType);
  const equals = type && findOperator(type, "equals")?.operator;
  const compiled = equals?.compile([textOf(value)], false, new Re2Pool(), "");
  return Array.isArray(compiled) ? type : undefined;
}
