import type { TFunction } from "i18next";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { validateConstraint } from "../../shared/constraints/validate-constraints.ts";

/**
 * Returns error messages for values that cannot be parsed as the context definition's type.
 * Validates as the service does: it treats each value as the operand of an `equals` constraint.
 */
export function valueErrors(
  t: TFunction,
  { contextKey, contextType }: Pick<ContextDefinition, "contextKey" | "contextType">,
  values: readonly string[],
): string[] {
  if (values.length === 0) return [];
  const constraint = { field: contextKey, operator: "equals", values: [...values], contextType };
  return Object.values(validateConstraint(t, constraint));
}
