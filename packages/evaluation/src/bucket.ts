import { murmur3 } from "./murmur3.ts";

/** The number of roll-out buckets: one for each whole per cent. */
export const ROLL_OUT_BUCKETS = 100;

/**
 * The size of `scratch` in bytes. A flag key has at most 128 characters, and an e-mail address at
 * most 254. An input that is longer or not ASCII gets a separate buffer.
 */
const SCRATCH_LENGTH = 512;

const COLON = 58;
const encoder = new TextEncoder();

/**
 * The buffer with the bytes to hash, shared by all calls, because allocating costs more than
 * hashing. This is safe because hashing is synchronous.
 */
const scratch = new Uint8Array(SCRATCH_LENGTH);
const scratchView = new DataView(scratch.buffer);

/**
 * Writes ASCII text into `scratch` at `offset`. Returns false when the text is not ASCII. The
 * written bytes must then not be used.
 */
function writeAscii(text: string, offset: number): boolean {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    seen |= code;
    scratch[offset + i] = code;
  }
  return seen < 0x80;
}

/**
 * Returns `murmur3_x86_32(utf8(key + ":" + id), seed)`. A lone surrogate hashes as U+FFFD, because
 * that is how `TextEncoder` encodes it.
 */
export function hash(key: string, id: string, seed: number): number {
  const idAt = key.length + 1;
  const length = idAt + id.length;
  if (length <= SCRATCH_LENGTH && writeAscii(key, 0) && writeAscii(id, idAt)) {
    scratch[key.length] = COLON;
    return murmur3(scratchView, length, seed);
  }
  const bytes = encoder.encode(`${key}:${id}`);
  return murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length, seed);
}

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
  return (hash(flagKey, id, 0) % ROLL_OUT_BUCKETS) + 1;
}
