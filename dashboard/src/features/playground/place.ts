import type { RollOutOutcome } from "@feature-flags/evaluation/explain";

type Placed = NonNullable<RollOutOutcome["placed"]>;

/** The number of positions per percent. Positions reach from 0 to 99,999. */
const POSITIONS_PER_PERCENT = 1000;

/**
 * Returns the place of an id among 100 to compare with a percentage: a whole number for a roll-out
 * of whole per cents, and otherwise a number with three decimals. The roll-out includes the id if a
 * whole place is at most the percentage, or a place with decimals is below the percentage.
 */
export const placeOf = (rollOut: number, { bucket, position }: Placed): number =>
  Number.isInteger(rollOut) ? bucket : percentOf(position);

/** Returns a position as a number from 0 to 99.999. */
export const percentOf = (position: number): number => position / POSITIONS_PER_PERCENT;

/** Whether the roll-out includes an id. Rounds, because the product of decimals is inexact. */
export const isPlacedWithin = (rollOut: number, { position }: Placed): boolean =>
  position < Math.round(rollOut * POSITIONS_PER_PERCENT);
