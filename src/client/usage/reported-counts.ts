import { isObject } from "../../core/lib/is-object.ts";
import { MAX_VARIANTS, VARIANT_KEY } from "../../core/flags/variants.ts";
import type { FlagUsage, VariantCounts } from "../../core/usage/message-types.ts";

/** The counts in a usage report: their check, and their form in queue messages. */

/**
 * The most flags in a usage report, and the greatest count of one flag. These limits are part of
 * the API (docs/use/api.md, Limits). A larger count can only come from a bug in the SDK.
 */
export const MAX_EVALUATIONS = 10_000;
export const MAX_COUNT = 1_000_000_000;

/**
 * How many field errors the check of the evaluations returns at most, so that the response stays
 * small when every entry is wrong.
 */
const MAX_FIELD_ERRORS = 100;

const NOT_A_COUNT = `must be a whole number from 0 to ${MAX_COUNT}`;
const NOT_A_VARIANT_KEY =
  "must be counted by a variant key of 1 to 64 characters: letters, digits, and . _ -";

/** The counts of one flag: how often it was true, how often false, and how often each variant was served. */
export interface FlagCounts {
  readonly t: number;
  readonly f: number;
  readonly v?: VariantCounts;
}

export type Evaluations = Readonly<Record<string, FlagCounts>>;

/** A field error of the evaluations, as Zod expects it. */
interface Issue {
  readonly path: string[];
  readonly message: string;
}

export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT;

/**
 * Returns the field errors of the evaluations in a usage report. The check is written by hand:
 * Zod's record schema skips the key `__proto__`, and takes three times as long.
 */
export function evaluationIssues(value: unknown): Issue[] {
  if (!isObject(value)) return [{ path: [], message: "must be an object" }];
  const entries = Object.entries(value);
  if (entries.length > MAX_EVALUATIONS)
    return [{ path: [], message: `must have at most ${MAX_EVALUATIONS} entries` }];
  const issues: Issue[] = [];
  for (const [key, counts] of entries) {
    if (!isObject(counts)) issues.push({ path: [key], message: "must be an object" });
    else {
      for (const field of ["t", "f"])
        if (!isCount(counts[field])) issues.push({ path: [key, field], message: NOT_A_COUNT });
      if (counts["v"] !== undefined) issues.push(...variantIssues(key, counts["v"]));
    }
    if (issues.length >= MAX_FIELD_ERRORS) break;
  }
  return issues;
}

/** Returns the field errors of a flag's counts by variant. */
function variantIssues(flag: string, value: unknown): Issue[] {
  const path = [flag, "v"];
  if (!isObject(value)) return [{ path, message: "must be an object" }];
  const entries = Object.entries(value);
  if (entries.length > MAX_VARIANTS)
    return [{ path, message: `must have at most ${MAX_VARIANTS} variants` }];
  return entries.flatMap(([variant, n]) => {
    const isKey = VARIANT_KEY.test(variant);
    if (isKey && isCount(n)) return [];
    return [{ path: [...path, variant], message: isKey ? NOT_A_COUNT : NOT_A_VARIANT_KEY }];
  });
}

/**
 * Returns the counts of a flag for the queue message. Returns nothing for a flag without
 * evaluations. `variants`: the only variants that are counted. Undefined: all.
 */
export function usageOf(
  key: string,
  { t, f, v = {} }: FlagCounts,
  variants: readonly string[] | undefined,
): FlagUsage[] {
  const served = Object.entries(v).filter(
    ([variant, n]) => n > 0 && (variants === undefined || variants.includes(variant)),
  );
  if (served.length > 0) return [[key, t, f, Object.fromEntries(served)]];
  return t + f > 0 ? [[key, t, f]] : [];
}
