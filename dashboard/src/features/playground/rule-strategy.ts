import type { RuleStrategy, Serve } from "@feature-flags/evaluation/rule";
import type { Strategy } from "../../shared/api/types.ts";

/** Returns a strategy of the API in the form that `toClientRule` needs. */
export const ruleStrategyOf = (strategy: Strategy): RuleStrategy => ({
  ...strategy,
  serve: servedBy(strategy),
  rules: strategy.rules.map((rule) => ({ ...rule, serve: servedBy(rule) })),
});

const servedBy = ({ serve }: Pick<Strategy, "serve">): Serve =>
  "variant" in serve
    ? serve
    : { slots: serve.slots.map(({ from, to, variant }) => [from, to, variant]) };
