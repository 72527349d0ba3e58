import { MAX_VARIANTS } from "../flags/variants.ts";
import type { FlagUsage, VariantCounts } from "./message-types.ts";

/**
 * The most variants of a flag that are counted in an hour. Anybody can invent variants with a
 * FRONTEND key; those that a flag does not have are left out when the hour is written.
 */
export const MAX_COUNTED_VARIANTS = 4 * MAX_VARIANTS;

/** How often one flag was true and false, and how often each of its variants was served. */
interface Counts {
  t: number;
  f: number;
  variants: Map<string, number> | undefined;
}

/** The usage of flags, by flag key. */
export type FlagCounts = Map<string, Counts>;

/**
 * Adds usage to the counts. Returns how many flags and variants are new in the counts.
 *
 * @param takesVariants whether variants that are not in the counts yet are counted
 */
export function addUsage(
  counts: FlagCounts,
  usage: readonly FlagUsage[],
  takesVariants = true,
): number {
  let added = 0;
  for (const [key, t, f, variants] of usage) {
    let flag = counts.get(key);
    if (!flag) {
      flag = { t: 0, f: 0, variants: undefined };
      counts.set(key, flag);
      added += 1;
    }
    flag.t += t;
    flag.f += f;
    if (!variants) continue;
    flag.variants ??= new Map();
    added += addVariants(flag.variants, variants, takesVariants ? MAX_COUNTED_VARIANTS : 0);
  }
  return added;
}

/** Adds variants, new ones only up to `limit`. Returns how many are new. */
function addVariants(sums: Map<string, number>, variants: VariantCounts, limit: number): number {
  const before = sums.size;
  for (const [variant, n] of Object.entries(variants)) {
    const sum = sums.get(variant);
    if (sum !== undefined || sums.size < limit) sums.set(variant, (sum ?? 0) + n);
  }
  return sums.size - before;
}

/** Removes the usage of a flag. Returns how many flags and variants are removed from the counts. */
export function removeUsage(counts: FlagCounts, key: string): number {
  const found = counts.get(key);
  counts.delete(key);
  return found ? 1 + (found.variants?.size ?? 0) : 0;
}

/** Returns the counts as a list, which `addUsage` accepts. */
export const usageList = (counts: FlagCounts): FlagUsage[] =>
  Array.from(counts, ([key, { t, f, variants }]): FlagUsage =>
    variants && variants.size > 0 ? [key, t, f, Object.fromEntries(variants)] : [key, t, f],
  );
