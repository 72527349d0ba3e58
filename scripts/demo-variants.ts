import { compileRules, evaluate } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, EvaluationContext } from "@feature-flags/evaluation/rule";

/** How often an SDK instance evaluated a flag: to true, to false, and to each variant. */
export interface FlagCounts {
  readonly t: number;
  readonly f: number;
  readonly v?: Readonly<Record<string, number>>;
}

/** The customers for whom each SDK instance evaluates flags. */
const CUSTOMERS = 600;
const COUNTRIES = ["DE", "AT", "FR", "US", "CH", "NL", "CA"];
const PLATFORMS = ["web", "ios", "android"];
const APP_VERSIONS = ["5.1.4", "5.2.0", "5.3.1", "5.4.0"];

const one = (list: readonly string[], n: number) => list[n % list.length];

/**
 * Returns the evaluation context of a customer. Its fields repeat at different intervals, so that
 * all their combinations occur. `first`: the number of the SDK instance's first customer.
 */
function customer(n: number, first: number): EvaluationContext {
  const id = `customer-${first + n}`;
  const host = n % 37 === 0 ? "alpenglow.example" : "mail.example";
  return {
    userId: id,
    country: one(COUNTRIES, n),
    email: `${id}@${host}`,
    platform: one(PLATFORMS, n),
    appVersion: one(APP_VERSIONS, n),
    orders: n % 11,
    betaTester: n % 19 === 0,
  };
}

/**
 * Evaluates the rules that have variants for the customers of an SDK instance, as an SDK does, and
 * returns the counts by flag key. `instance`: the number of the SDK instance; each has its own
 * customers.
 */
export function variantUsage(
  rules: readonly ClientRule[],
  instance: number,
): Readonly<Record<string, FlagCounts>> {
  const compiled = compileRules(rules);
  const keys = rules.filter(({ variants }) => variants !== undefined).map(({ key }) => key);
  const contexts = Array.from({ length: CUSTOMERS }, (_, n) => customer(n, instance * CUSTOMERS));
  return Object.fromEntries(
    keys.map((key) => [key, countsOf(contexts.map((context) => evaluate(compiled, key, context)))]),
  );
}

function countsOf(verdicts: readonly ReturnType<typeof evaluate>[]): FlagCounts {
  const t = verdicts.filter(({ enabled }) => enabled).length;
  const v = new Map<string, number>();
  for (const { variant } of verdicts)
    if (variant !== undefined) v.set(variant, (v.get(variant) ?? 0) + 1);
  return { t, f: verdicts.length - t, v: Object.fromEntries(v) };
}
