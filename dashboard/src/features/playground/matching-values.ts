import type { ClientRule, Constraint } from "@feature-flags/evaluation/rule";
import type { FlagWithRule } from "./use-flags-with-rules.ts";

/**
 * For these operators, each value of a constraint satisfies the constraint itself. For example, 5
 * is at least 5, so it satisfies `gte`.
 */
const MET_BY_VALUE = new Set(["in", "equals", "gte", "lte"]);

/** Returns values that satisfy at least one constraint in the rules, by context field. */
export function matchingValues(
  flags: readonly FlagWithRule[],
): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, Set<string>>();
  for (const constraint of flags.flatMap(({ rule }) => constraintsOf(rule))) {
    const values = byField.get(constraint.field) ?? new Set();
    for (const value of valuesMeeting(constraint)) values.add(value);
    byField.set(constraint.field, values);
  }
  return new Map([...byField].map(([field, values]) => [field, [...values]]));
}

/** Returns the constraints of all rules of a flag, including those of the segments. */
const constraintsOf = ({ activation, rules = [] }: ClientRule): Constraint[] =>
  [...rules, activation].flatMap(({ constraints, segments }) =>
    constraints.concat(segments.flatMap((segment) => segment.constraints)),
  );

function valuesMeeting({ operator, values, contextType, inverted }: Constraint): readonly string[] {
  if (inverted) return [];
  // Complete the value of an `endsWith` constraint, such as `@example.com`, to an email address.
  if (operator === "endsWith")
    return values.filter((end) => end.startsWith("@")).map((end) => `ann${end}`);
  if (!MET_BY_VALUE.has(operator)) return [];
  return contextType === "ip" ? values.filter((value) => !value.includes("/")) : values;
}
