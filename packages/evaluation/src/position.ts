import { KeyHash, ROLL_OUT_BUCKETS } from "./bucket.ts";

/** The number of positions. A position is a whole number from 0 to 99,999. */
export const POSITIONS = 100_000;

/**
 * The seed of the hash of a weighted split. It must differ from the seed of the roll-out: with the
 * same seed, the users in a roll-out of 10 % would all get the first variant. Unleash uses this
 * seed for its variants, so an import keeps the variant of every user.
 */
const SPLIT_SEED = 86_028_157;

/** The number of buckets of a weighted split: the total weight of the variants in Unleash. */
const SPLIT_BUCKETS = 1000;

const HASHES = 2 ** 32;

/**
 * Returns the position of a hash. `hash mod buckets` gives the bucket of the position, and the rest
 * of the hash gives the place inside this bucket. So the first `n` buckets are exactly the first
 * `n * 100,000 / buckets` positions.
 *
 * @param hashed an unsigned 32-bit number
 * @param buckets the number of buckets; a divisor of 100,000
 * @returns a whole number from 0 to 99,999
 */
export function position(hashed: number, buckets: number): number {
  const width = POSITIONS / buckets;
  const rest = Math.floor(hashed / buckets);
  return (hashed % buckets) * width + Math.floor((rest * width) / Math.ceil(HASHES / buckets));
}

/** Returns the position of an id in a percentage roll-out, from its hash with seed 0. */
export const rollOutPosition = (hashed: number): number => position(hashed, ROLL_OUT_BUCKETS);

/** Returns the hash of the ids in a weighted split. */
export const splitHash = (splitKey: string): KeyHash => new KeyHash(splitKey, SPLIT_SEED);

/** Returns the position of an id in a weighted split, from its hash. */
export const splitPosition = (hashed: number): number => position(hashed, SPLIT_BUCKETS);
