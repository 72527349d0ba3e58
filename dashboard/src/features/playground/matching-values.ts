import type { Constraint } from "@feature-flags/evaluation/rule";
import type { FlagWithRule } from "./use-flags-with-rules.ts";

/**
 * The operators with which every value of a constraint satisfies that constraint, such as `equals`.
 */
const MET_BY_VALUE = new Set(["in", "equals", "gte", "lte"]);

/**
 * Returns values by field that satisfy a constraint of at least one rule. The context form suggests
 * them.
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
  // Complete a suffix such as `@example.com` to an email address.
  if (operator === "endsWith")
    return values.filter((end) => end.startsWith("@")).map((end) => `ann${end}`);
  if (!MET_BY_VALUE.has(operator)) return [];
  return contextType === "ip" ? values.filter((value) => !value.includes("/")) : values;
}
