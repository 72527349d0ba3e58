import type { Schemas } from "../api/types.ts";

/**
 * The usage of a flag or an environment: how many evaluations had the result true (`t`) and false
 * (`f`), in total and by hour or day. The usage of a flag with values also counts by variant.
 */
export type Usage = Pick<Schemas["FlagMetrics"], "interval" | "totals" | "series">;
export type Counts = Usage["totals"];

export const evaluations = ({ t, f }: Counts): number => t + f;

/** Returns a part of all evaluations as a share from 0 to 1. 0 if there were no evaluations. */
export const shareOf = (count: number, counts: Counts): number =>
  evaluations(counts) === 0 ? 0 : count / evaluations(counts);

/** Returns the share of evaluations with the result true, from 0 to 1. */
export const shareTrue = (counts: Counts): number => shareOf(counts.t, counts);
