import { PrefixHash } from "./murmur3.ts";

/** The number of roll-out buckets: one for each whole per cent. */
export const ROLL_OUT_BUCKETS = 100;

/**
 * The hashes of the ids of one roll-out or split: `murmur3_x86_32(utf8(key + ":" + id), seed)`. A lone
 * surrogate hashes as U+FFFD, because that is how `TextEncoder` encodes it.
 */
export class KeyHash extends PrefixHash {
  constructor(key: string, seed: number) {
    super(`${key}:`, seed);
  }
}

/** Returns the hash of the ids in a percentage roll-out. */
export const rollOutHash = (hashKey: string): KeyHash => new KeyHash(hashKey, 0);

/**
 * Returns the roll-out bucket of an id: `murmur3_x86_32(utf8(flagKey + ":" + id), seed 0) mod 100 +
 * 1`.
 *
 * A roll-out includes an id when the bucket is at most the percentage. So a higher percentage only
 * adds ids, and two flags divide the same users differently.
 *
 * @param flagKey the key of the flag
 * @param id the value of the targeting key (or of the rule's stickiness field)
 * @returns a whole number from 1 to 100
 */
export function bucket(flagKey: string, id: string): number {
  return (rollOutHash(flagKey).of(id) % ROLL_OUT_BUCKETS) + 1;
}
