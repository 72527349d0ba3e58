import type { Constraint } from "@feature-flags/evaluation/rule";
import type { FlagWithRule } from "./use-flags-with-rules.ts";

/**
 * The operators that hold for each of the constraint's own values, such as `gte`: 5 is at least 5.
 */
const MET_BY_VALUE = new Set(["in", "equals", "gte", "lte"]);

/**
 * Returns, by context field, values that satisfy at least one constraint in the rules of the flags.
 * The context form suggests these values.
 */
export function matchingValues(
  flags: readonly FlagWithRule[],
): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, Set<string>>();
  for (const { rule } of flags) {
    const { constraints, segments } = rule.activation;
    for (const constraint of [
      ...constraints,
      ...segments.flatMap((segment) => segment.constraints),
    ]) {
      const values = byField.get(constraint.field) ?? new Set();
      for (const value of valuesMeeting(constraint)) values.add(value);
      byField.set(constraint.field, values);
    }
  }
  return new Map([...byField].map(([field, values]) => [field, [...values]]));
}

function valuesMeeting({ operator, values, contextType, inverted }: Constraint): readonly string[] {
  if (inverted) return [];
  // Complete the value of an `endsWith` constraint, such as `@example.com`, to an email address.
  if (operator === "endsWith")
    return values.filter((end) => end.startsWith("@")).map((end) => `ann${end}`);
  if (!MET_BY_VALUE.has(operator)) return [];
  return contextType === "ip" ? values.filter((value) => !value.includes("/")) : values;
}
