import type { FieldError } from "../errors/api-error.ts";
import { jsonBytes } from "../lib/chunks.ts";
import type { RuleInput, StrategyChange } from "./change.ts";
import type { ServeInput } from "./serve.ts";
import type { StoredRule, StrategyContent } from "./strategy.ts";

/**
 * The maximum size of the constraints of a strategy, or of a segment, in bytes of JSON, 256 KiB. The
 * constraints of all ordered rules of a strategy count together with its own.
 */
export const MAX_CONSTRAINTS_BYTES = 262_144;

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

/**
 * Returns the field error of a changed strategy whose constraints are too large. A strategy beyond
 * the limit, which an older release has accepted, may change as long as they do not grow.
 */
export function sizeErrors(before: StrategyContent, after: StrategyContent): FieldError[] {
  const size = constraintsBytes(after);
  if (size <= MAX_CONSTRAINTS_BYTES || size <= constraintsBytes(before)) return [];
  const message = `must have at most ${MAX_CONSTRAINTS_BYTES} bytes of JSON, together with those of all rules; these have ${size}`;
  return [{ field: "constraints", message }];
}

const constraintsBytes = ({ constraints, rules }: StrategyContent): number =>
  [{ constraints }, ...rules].reduce((sum, one) => sum + jsonBytes(one.constraints), 0);

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
  return namedVariants(field, serve)
    .filter(({ variant }) => !variants.includes(variant))
    .map((one) => ({ field: one.field, message: "is not a variant of the flag" }));
}

/** Returns the variants that a serve names, each with the path of its field. */
function namedVariants(field: string, serve: ServeInput) {
  if ("variant" in serve) return [{ variant: serve.variant, field: `${field}.variant` }];
  const variants =
    "weights" in serve
      ? Object.keys(serve.weights)
      : [...new Set(serve.slots.map(([, , variant]) => variant))];
  return variants.map((variant) => ({ variant, field: `${field}.weights.${variant}` }));
}
