import type { Schemas } from "../api/types.ts";

/** How often flags were true (`t`) and false (`f`), by hour or day, as the API tells it. */
export type Usage = Pick<Schemas["FlagMetrics"], "interval" | "totals" | "series">;
export type Counts = Usage["totals"];

export const evaluations = ({ t, f }: Counts): number => t + f;

/** 0 to 1; of nothing it is 0. */
export const shareTrue = (counts: Counts): number =>
  evaluations(counts) === 0 ? 0 : counts.t / evaluations(counts);
