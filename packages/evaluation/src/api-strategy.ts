import type { RuleStrategy, Serve } from "./rule.ts";

/** What a strategy, or one of its ordered rules, serves in the responses of the management API. */
interface ApiServe {
  readonly serve:
    | { readonly variant: string }
    | {
        readonly slots: readonly {
          readonly from: number;
          readonly to: number;
          readonly variant: string;
        }[];
      };
}

type ApiRule<Rule> = Omit<Rule, "serve"> & ApiServe;

/** A strategy as the management API returns it. */
type ApiStrategy = ApiRule<Omit<RuleStrategy, "rules">> & {
  readonly rules: readonly ApiRule<NonNullable<RuleStrategy["rules"]>[number]>[];
};

/** Returns a strategy of the management API in the form that `toClientRule` needs. */
export const ruleStrategyOf = (strategy: ApiStrategy): RuleStrategy => ({
  ...strategy,
  serve: servedBy(strategy),
  rules: strategy.rules.map((rule) => ({ ...rule, serve: servedBy(rule) })),
});

const servedBy = ({ serve }: ApiServe): Serve =>
  "variant" in serve
    ? serve
    : { slots: serve.slots.map(({ from, to, variant }) => [from, to, variant]) };
