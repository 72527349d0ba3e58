import type { ChangeOf } from "../lib/input.ts";
import { type ServeInput, storedServe } from "./serve.ts";
import {
  type ActivationContent,
  ACTIVATION_FIELDS,
  NEW_RULE,
  type StoredRule,
  type StrategyContent,
} from "./strategy.ts";

/** The fields that a change can give of a strategy, and of each of its ordered rules. */
type ActivationChange = ChangeOf<ActivationContent> & { readonly serve?: ServeInput | undefined };

/** An ordered rule in a request. A field that is left out gets its default. */
export type RuleInput = ActivationChange & {
  /** The id of an existing rule of the strategy, which keeps its slots. Undefined: a new rule. */
  readonly id?: string | undefined;
  /** The id that a new rule gets. Undefined: a random one. */
  readonly newId?: string | undefined;
  readonly name?: string | null | undefined;
};

/** The fields with which a caller changes a strategy. A field that is left out keeps its value. */
export type StrategyChange = ActivationChange & {
  readonly enabled?: boolean | undefined;
  /** The new list of ordered rules, which replaces all of them. */
  readonly rules?: readonly RuleInput[] | undefined;
};

/** What the result of a strategy change depends on, besides the strategy and the change. */
export interface ChangeOptions {
  /** The keys of the flag's variants, in order. */
  readonly variants: readonly string[];
  /** Makes the id of a new rule. */
  readonly newRuleId: () => string;
}

/**
 * Returns a copy of the strategy with the changed fields. The copy says explicitly what it serves.
 * The variants and the ids of rules in the change must exist.
 */
export function mergeStrategy(
  before: StrategyContent,
  change: StrategyChange,
  options: ChangeOptions,
): StrategyContent {
  const { enabled = before.enabled, serve, rules } = change;
  return {
    ...before,
    enabled,
    ...given(change),
    serve:
      serve === undefined
        ? (before.serve ?? defaultServe(options.variants))
        : storedServe(serve, before.serve, options.variants),
    rules: rules?.map((rule) => toStoredRule(rule, before.rules, options)) ?? before.rules,
  };
}

function toStoredRule(
  rule: RuleInput,
  before: readonly StoredRule[],
  { variants, newRuleId }: ChangeOptions,
): StoredRule {
  const { newId, id = newId ?? newRuleId(), name = null, serve = defaultServe(variants) } = rule;
  const served = before.find((one) => one.id === rule.id)?.serve ?? null;
  return {
    ...NEW_RULE,
    id,
    name,
    ...given(rule),
    serve: storedServe(serve, served, variants),
  };
}

const defaultServe = ([variant = ""]: readonly string[]) => ({ variant });

/** Returns the fields that a change gives. */
const given = (change: ActivationChange): Partial<ActivationContent> =>
  Object.fromEntries(
    ACTIVATION_FIELDS.filter((field) => change[field] !== undefined).map((field) => [
      field,
      change[field],
    ]),
  );
