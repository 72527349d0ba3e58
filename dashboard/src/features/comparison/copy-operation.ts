import type { RequestOperation, Rule } from "../../shared/api/types.ts";
import type { ComparedFlag } from "./comparison-query.ts";

type SetStrategy = Extract<RequestOperation, { kind: "strategy.set" }>;

/** Returns the operation that sets the fields in which the strategies of a flag differ, as the copy does. */
export function copyOperation(
  { flag, from, to, fields }: ComparedFlag,
  withState: boolean,
): SetStrategy {
  const copied = fields.filter((field) => withState || field !== "enabled");
  const input = Object.fromEntries(
    copied.map((field) => [field, field === "rules" ? from.rules.map(asNewRule) : from[field]]),
  );
  const target = { flagId: flag.id, environmentId: to.environmentId };
  return { kind: "strategy.set", target, input };
}

function asNewRule(rule: Rule) {
  const { id: _, percentage: __, ...rest } = rule;
  return rest;
}
