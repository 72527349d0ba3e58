/**
 * Returns the hash `murmur3_x86_32` of the first `length` bytes.
 *
 * `Math.imul` makes this function three times as fast as the `murmurhash` package, which multiplies
 * 16 bits at a time. The tests check that both return the same hashes.
 *
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 * @returns an unsigned 32-bit number
 */
export function murmur3(bytes: DataView, length: number, seed = 0): number {
  const tailAt = length & ~3;
  let hash = seed;
  for (let i = 0; i < tailAt; i += 4) {
    hash ^= mixBlock(bytes.getInt32(i, true));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = length - 1; i >= tailAt; i--) tail = (tail << 8) | bytes.getUint8(i);
  // If the length is a multiple of 4, `tail` is 0 and does not change the hash.
  hash ^= mixBlock(tail);
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mixBlock(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
