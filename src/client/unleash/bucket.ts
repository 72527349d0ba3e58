import { isObject } from "../../core/lib/is-object.ts";
import { MAX_VARIANTS, VARIANT_KEY } from "../../core/flags/variants.ts";
import type { KnownFlags } from "../rules/rule-set.ts";
import {
  type Evaluations,
  type FlagCounts,
  isCount,
  MAX_EVALUATIONS,
} from "../usage/reported-counts.ts";

/** The name under which Unleash SDKs count that a flag served no variant. */
const NO_VARIANT = "disabled";

/**
 * Returns the counts in the bucket of a usage report of Unleash, `{toggles: {<key>: {yes, no,
 * variants}}}`, in the form of this service. Leaves out entries that are not valid, and entries beyond
 * the limits, because some SDKs never report again after an error. `flags`: the known flags.
 */
export function evaluationsIn(bucket: unknown, flags: KnownFlags): Evaluations {
  const toggles = isObject(bucket) ? bucket["toggles"] : undefined;
  if (!isObject(toggles)) return {};
  const entries = Object.entries(toggles).flatMap(([key, counts]): [string, FlagCounts][] => {
    const one = isObject(counts) ? countsIn(counts, flags.variantsOf(key)) : undefined;
    return one ? [[key, one]] : [];
  });
  // Uses `fromEntries`, which stores the key `__proto__` as a plain field, too.
  return Object.fromEntries(entries.slice(0, MAX_EVALUATIONS));
}

function countsIn(
  { yes = 0, no = 0, variants }: Readonly<Record<string, unknown>>,
  known: readonly string[] | undefined,
): FlagCounts | undefined {
  if (!isCount(yes) || !isCount(no)) return undefined;
  if (!isObject(variants)) return { t: yes, f: no };
  const isVariant = (entry: [string, unknown]): entry is [string, number] => {
    const [variant, n] = entry;
    const isServed = variant !== NO_VARIANT || known?.includes(variant) === true;
    return isServed && VARIANT_KEY.test(variant) && isCount(n);
  };
  const served = Object.entries(variants).filter(isVariant).slice(0, MAX_VARIANTS);
  return { t: yes, f: no, v: Object.fromEntries(served) };
}
