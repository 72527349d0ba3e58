import { murmur3 } from "@feature-flags/evaluation/murmur3";

/** The seeds of the two hashes, which together have 64 bits. */
const SEEDS = [0, 0x9747b28c] as const;

/** Returns a hash of bytes with 64 bits: 16 hexadecimal digits. */
export function hash64(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return SEEDS.map((seed) => hex(murmur3(view, bytes.length, seed))).join("");
}

const hex = (hash: number): string => hash.toString(16).padStart(8, "0");
