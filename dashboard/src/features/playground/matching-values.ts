import type { Constraint } from "@feature-flags/evaluation/rule";
import type { FlagWithRule } from "./use-flags-with-rules.ts";

/** Those whose values meet them. */
const MET_BY_VALUE = new Set(["in", "equals", "gte", "lte"]);

/** Values of each field that meet some constraint of the rules: worth trying. */
export function matchingValues(
  flags: readonly FlagWithRule[],
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, Set<string>>();
  for (const { rule } of flags) {
    const { constraints, segments } = rule.activation;
    for (const constraint of [...constraints, ...segments.flatMap((one) => one.constraints)]) {
      const values = named.get(constraint.field) ?? new Set();
      for (const value of meeting(constraint)) values.add(value);
      named.set(constraint.field, values);
    }
  }
  return new Map([...named].map(([field, values]) => [field, [...values]]));
}

function meeting({ operator, values, contextType, inverted }: Constraint): readonly string[] {
  if (inverted) return [];
  // Such as those who have an address at a company.
  if (operator === "endsWith")
    return values.filter((end) => end.startsWith("@")).map((end) => `ann${end}`);
  if (!MET_BY_VALUE.has(operator)) return [];
  return contextType === "ip" ? values.filter((value) => !value.includes("/")) : values;
}
