import { MAX_VARIANTS } from "../flags/variants.ts";
import type { FlagUsage, VariantCounts } from "./message-types.ts";

/**
 * The most variants of a flag that are counted in an hour. Anybody can invent variants with a
 * FRONTEND key; those that a flag does not have are left out when the hour is written.
 */
const MAX_COUNTED_VARIANTS = 4 * MAX_VARIANTS;

/** How often one flag was true and false, and how often each of its variants was served. */
interface Counts {
  t: number;
  f: number;
  variants: Map<string, number> | undefined;
}

/** The usage of flags, by flag key. */
export type FlagCounts = Map<string, Counts>;

/** Adds usage to the counts. Returns how many flags are new in the counts. */
export function addUsage(counts: FlagCounts, usage: readonly FlagUsage[]): number {
  const before = counts.size;
  for (const [key, t, f, variants] of usage) {
    let flag = counts.get(key);
    if (!flag) {
      flag = { t: 0, f: 0, variants: undefined };
      counts.set(key, flag);
    }
    flag.t += t;
    flag.f += f;
    if (variants) flag.variants = addVariants(flag.variants ?? new Map(), variants);
  }
  return counts.size - before;
}

function addVariants(sums: Map<string, number>, variants: VariantCounts): Map<string, number> {
  for (const [variant, n] of Object.entries(variants))
    if (sums.size < MAX_COUNTED_VARIANTS || sums.has(variant))
      sums.set(variant, (sums.get(variant) ?? 0) + n);
  return sums;
}

/** Returns the counts as a list, which `addUsage` accepts. */
export const usageList = (counts: FlagCounts): FlagUsage[] =>
  Array.from(counts, ([key, { t, f, variants }]): FlagUsage =>
    variants ? [key, t, f, Object.fromEntries(variants)] : [key, t, f],
  );
