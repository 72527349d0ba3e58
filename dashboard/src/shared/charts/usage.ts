import type { Schemas } from "../api/types.ts";

/** Numbers of evaluations that were true (`t`) and false (`f`), by hour or day. */
export type Usage = Pick<Schemas["FlagMetrics"], "interval" | "totals" | "series">;
export type Counts = Usage["totals"];

export const evaluations = ({ t, f }: Counts): number => t + f;

/** The share of true evaluations, 0 to 1; 0 when there are none. */
export const shareTrue = (counts: Counts): number =>
  evaluations(counts) === 0 ? 0 : counts.t / evaluations(counts);
