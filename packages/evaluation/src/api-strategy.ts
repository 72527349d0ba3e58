import type { RuleStrategy, Serve } from "./rule.ts";

/** The fields of a strategy, or of one of its ordered rules, in other forms in the management API. */
interface ApiFields {
  readonly exactPercentage: number;
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

type ApiRule<Rule> = Omit<Rule, "serve"> & ApiFields;

/** A strategy as the management API returns it. */
type ApiStrategy = ApiRule<Omit<RuleStrategy, "rules">> & {
  readonly rules: readonly ApiRule<NonNullable<RuleStrategy["rules"]>[number]>[];
};

/** Returns a strategy of the management API in the form that `toClientRule` needs. */
export const ruleStrategyOf = (strategy: ApiStrategy): RuleStrategy => ({
  ...strategy,
  ...ownForms(strategy),
  rules: strategy.rules.map((rule) => ({ ...rule, ...ownForms(rule) })),
});

const ownForms = ({ exactPercentage, serve }: ApiFields) => ({
  percentage: exactPercentage,
  serve: servedBy(serve),
});

const servedBy = (serve: ApiFields["serve"]): Serve =>
  "variant" in serve
    ? serve
    : { slots: serve.slots.map(({ from, to, variant }) => [from, to, variant]) };
