import { murmur3 } from "./murmur3.ts";

const encoder = new TextEncoder();

/** Returns the hash of one rule, given as the JSON of the service (text, or its bytes in UTF-8). */
export function ruleHash(json: string | Uint8Array): number {
  const bytes = typeof json === "string" ? encoder.encode(json) : json;
  const { buffer, byteOffset, byteLength } = bytes;
  return murmur3(new DataView(buffer, byteOffset, byteLength), byteLength);
}

/**
 * Returns the digest of a list of rules: the XOR of the hashes of its rules, hexadecimal. The order
 * of the rules does not matter. When a few rules of a list are replaced, their hashes are enough to
 * compute the new digest.
 */
export const digestOf = (hashes: Iterable<number>): string => {
  let digest = 0;
  for (const hash of hashes) digest ^= hash;
  return (digest >>> 0).toString(16);
};

/** Reads a digest, so that hashes can be added to it and removed from it. */
export const readDigest = (digest: string): number => Number.parseInt(digest, 16);
