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
  for (let i = 0; i < tailAt; i += 4) hash = addBlock(hash, bytes.getInt32(i, true));
  let tail = 0;
  for (let i = length - 1; i >= tailAt; i--) tail = (tail << 8) | bytes.getUint8(i);
  return finish(hash, tail, length);
}

/** Adds four bytes to a hash: a little-endian block. */
function addBlock(hash: number, block: number): number {
  const mixed = hash ^ mixBlock(block);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

/**
 * Ends a hash of `length` bytes. `tail`: the bytes after the last block, little-endian. If there are
 * none, `tail` is 0 and does not change the hash.
 */
function finish(hash: number, tail: number, length: number): number {
  let end = hash ^ mixBlock(tail) ^ length;
  end = Math.imul(end ^ (end >>> 16), 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return (end ^ (end >>> 16)) >>> 0;
}

function mixBlock(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/**
 * The `murmur3_x86_32` hashes of ASCII texts that begin with the same text. That text is hashed only
 * once.
 */
export class PrefixHash {
  /** The hash of the whole blocks of the prefix. */
  readonly #hash: number;
  /** The bytes of the prefix after the last whole block, and their number in bits. */
  readonly #tail: number;
  readonly #tailBits: number;
  readonly #length: number;

  /** @param prefix an ASCII text */
  constructor(prefix: string, seed: number) {
    let hash = seed;
    let block = 0;
    let bits = 0;
    for (let i = 0; i < prefix.length; i++) {
      block |= prefix.charCodeAt(i) << bits;
      bits += 8;
      if (bits === 32) {
        hash = addBlock(hash, block);
        block = 0;
        bits = 0;
      }
    }
    this.#hash = hash;
    this.#tail = block;
    this.#tailBits = bits;
    this.#length = prefix.length;
  }

  /**
   * Returns the hash of the prefix followed by `text`, an unsigned 32-bit number; undefined when
   * `text` is not ASCII.
   */
  of(text: string): number | undefined {
    const { length } = text;
    let hash = this.#hash;
    let block = this.#tail;
    let bits = this.#tailBits;
    let seen = 0;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      seen |= code;
      block |= code << bits;
      bits += 8;
      if (bits === 32) {
        hash = addBlock(hash, block);
        block = 0;
        bits = 0;
      }
    }
    return seen < 0x80 ? finish(hash, block, this.#length + length) : undefined;
  }
}
