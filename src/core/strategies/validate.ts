import type { FieldError } from "../errors/api-error.ts";
import type { RuleInput, StrategyChange } from "./change.ts";
import type { ServeInput } from "./serve.ts";
import type { StoredRule } from "./strategy.ts";

/**
 * Returns the field errors of a change that depend on the flag and on the stored strategy: variants
 * that the flag does not have, and ids of ordered rules that the strategy does not have.
 */
export const strategyErrors = (
  { serve, rules = [] }: StrategyChange,
  stored: readonly StoredRule[],
  variants: readonly string[],
): FieldError[] => [
  ...serveErrors("serve", serve, variants),
  ...rules.flatMap((rule, n) => [
    ...idErrors(`rules.${n}.id`, rule, { stored, rules, n }),
    ...serveErrors(`rules.${n}.serve`, rule.serve, variants),
  ]),
];

interface Place {
  readonly stored: readonly StoredRule[];
  readonly rules: readonly RuleInput[];
  readonly n: number;
}

function idErrors(field: string, { id }: RuleInput, { stored, rules, n }: Place): FieldError[] {
  if (id === undefined) return [];
  if (!stored.some((rule) => rule.id === id))
    return [{ field, message: "is not a rule of this strategy; leave the id of a new rule out" }];
  if (rules.findIndex((rule) => rule.id === id) < n)
    return [{ field, message: "is the id of an earlier rule in this request" }];
  return [];
}

function serveErrors(
  field: string,
  serve: ServeInput | undefined,
  variants: readonly string[],
): FieldError[] {
  if (serve === undefined) return [];
  const named =
    "variant" in serve
      ? [{ variant: serve.variant, field: `${field}.variant` }]
      : Object.keys(serve.weights).map((variant) => ({
          variant,
          field: `${field}.weights.${variant}`,
        }));
  return named
    .filter(({ variant }) => !variants.includes(variant))
    .map((one) => ({ field: one.field, message: "is not a variant of the flag" }));
}
