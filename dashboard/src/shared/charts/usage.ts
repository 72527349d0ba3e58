import type { Schemas } from "../api/types.ts";

/**
 * How often flags were on (`t`) and off (`f`). The counts of one flag also count by variant. The counts of an
 * environment also have the part of the boolean flags.
 */
export type Counts = Schemas["FlagMetrics"]["totals"] & {
  boolean?: Schemas["EnvironmentMetrics"]["totals"]["boolean"];
};

/** The usage of a flag or of all flags in an environment: in total and by hour or day. */
export interface Usage {
  environmentId: number | null;
  interval: Schemas["FlagMetrics"]["interval"];
  totals: Counts;
  series: (Counts & { at: string })[];
}

export const evaluations = ({ t, f }: Pick<Counts, "t" | "f">): number => t + f;

/** Adds up counts of several environments. */
export function sumOf(all: readonly Counts[]): Counts {
  const sum: Counts = { t: 0, f: 0 };
  for (const { t, f, variants, boolean } of all) {
    sum.t += t;
    sum.f += f;
    if (boolean) sum.boolean = sumOf(sum.boolean ? [sum.boolean, boolean] : [boolean]);
    for (const [key, n] of Object.entries(variants ?? {}))
      sum.variants = { ...sum.variants, [key]: countOf(key, sum) + n };
  }
  return sum;
}

/** A variant may have the name of a property that all objects inherit, such as `constructor`. */
export const countOf = (key: string, { variants = {} }: Counts): number =>
  (Object.hasOwn(variants, key) ? variants[key] : undefined) ?? 0;
