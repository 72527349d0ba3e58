import type { TFunction } from "i18next";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { validateConstraint } from "../../shared/constraints/validate-constraints.ts";

/** The words about each value that the type cannot read; as the service does, by comparing with it. */
export function valueErrors(
  t: TFunction,
  { contextKey, contextType }: Pick<ContextDefinition, "contextKey" | "contextType">,
  values: readonly string[],
): string[] {
  if (values.length === 0) return [];
  const constraint = { field: contextKey, operator: "equals", values: [...values], contextType };
  return Object.values(validateConstraint(t, constraint));
}
