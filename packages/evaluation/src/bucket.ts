import { murmur3, PrefixHash } from "./murmur3.ts";

/** The number of roll-out buckets: one for each whole per cent. */
export const ROLL_OUT_BUCKETS = 100;

const encoder = new TextEncoder();

/**
 * The hashes of the ids of one roll-out or split: `murmur3_x86_32(utf8(key + ":" + id), seed)`. The
 * key is hashed once. A lone surrogate hashes as U+FFFD, because that is how `TextEncoder` encodes it.
 */
export class KeyHash {
  readonly #key: string;
  readonly #seed: number;
  /** Undefined when the key is not ASCII. */
  readonly #prefix: PrefixHash | undefined;

  constructor(key: string, seed: number) {
    this.#key = key;
    this.#seed = seed;
    this.#prefix = /^[\0-\x7f]*$/.test(key) ? new PrefixHash(`${key}:`, seed) : undefined;
  }

  /** Returns the hash of an id, an unsigned 32-bit number. */
  of(id: string): number {
    return this.#prefix?.of(id) ?? this.#ofBytes(id);
  }

  #ofBytes(id: string): number {
    const bytes = encoder.encode(`${this.#key}:${id}`);
    return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length, this.#seed);
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
