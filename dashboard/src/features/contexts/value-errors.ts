import type { ContextDefinition } from "../../shared/api/types.ts";
import { validateConstraint } from "../../shared/constraints/validate-constraints.ts";
import type { Translate } from "../../shared/i18n/translate.ts";

/**
 * Returns an error message for each value that cannot be parsed as the type of the context
 * definition. Like the service, it validates each value as the operand of an `equals` constraint.
 */
export function valueErrors(
  t: Translate,
  { contextKey, contextType }: Pick<ContextDefinition, "contextKey" | "contextType">,
  values: readonly string[],
): string[] {
  if (values.length === 0) return [];
  return Object.values(
    validateConstraint(t, {
      field: contextKey,
      operator: "equals",
      values: [...values],
      contextType,
    }),
  );
}
