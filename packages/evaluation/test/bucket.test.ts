import * as fc from "fast-check";
import murmurhash from "murmurhash";
import { describe, expect, test } from "vitest";
import { bucket } from "../src/bucket.ts";
import { murmur3 } from "../src/murmur3.ts";

/**
 * The greatest chi-square statistic that counts as an even spread: the 99.9 % quantile with 99
 * degrees of freedom (100 buckets).
 */
const CHI_SQUARE_99_DF = 148.23;

const anyText = fc.string({ unit: "binary", maxLength: 700 });
/** Generates any UTF-16 text, including lone surrogates. */
const anyUtf16 = fc
  .array(fc.nat({ max: 0xffff }), { maxLength: 40 })
  .map((units) => String.fromCharCode(...units));

function chiSquare(flagKey: string, ids: readonly string[]): number {
  const counts = Array.from({ length: 100 }, () => 0);
  for (const id of ids) {
    const index = bucket(flagKey, id) - 1;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const expected = ids.length / 100;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("murmur3", () => {
  // Published test vectors of murmur3_x86_32 with seed 0.
  test.each([
    ["", 0],
    ["abc", 0xb3dd93fa],
    ["hello", 0x248bfa47],
    ["hello, world", 0x149bbb7f],
    ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
  ])("hashes %j to %d", (text, expected) => {
    const bytes = new TextEncoder().encode(text);
    expect(murmur3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length)).toBe(expected);
  });

  test("returns the same hash as the murmurhash package for random bytes and seeds", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (bytes, seed) => {
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        expect(murmur3(view, bytes.length, seed)).toBe(murmurhash.v3(bytes, seed));
      }),
    );
  });
});

describe("bucket", () => {
  test.each([
    ["gr1", "123", 73],
    ["groupX", "999", 25],
  ])("places the flag key and id %s:%s in the published bucket %d", (flagKey, id, expected) => {
    expect(bucket(flagKey, id)).toBe(expected);
  });

  test("hashes the UTF-8 bytes of flag key, colon and id, for random texts of any length", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyUtf16), fc.oneof(anyText, anyUtf16), (flagKey, id) => {
        const utf8 = new Uint8Array(Buffer.from(`${flagKey}:${id}`, "utf8"));
        expect(bucket(flagKey, id)).toBe((murmurhash.v3(utf8, 0) % 100) + 1);
      }),
    );
  });

  test("returns a whole number from 1 to 100, and the same number for the same flag key and id", () => {
    fc.assert(
      fc.property(anyUtf16, anyUtf16, (flagKey, id) => {
        const first = bucket(flagKey, id);
        bucket(id, flagKey);
        expect(Number.isInteger(first) && first >= 1 && first <= 100).toBe(true);
        expect(bucket(flagKey, id)).toBe(first);
      }),
    );
  });

  test.each(["checkout.new-flow", "größe", "f"])(
    "spreads ids evenly for the flag %s",
    (flagKey) => {
      const counted = Array.from({ length: 50_000 }, (_, index) => `user-${index}`);
      expect(chiSquare(flagKey, counted)).toBeLessThan(CHI_SQUARE_99_DF);
    },
  );

  test("places ids for two flags independently: a quarter of the ids is in the lower half for both flags", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => String(index));
    const inBoth = ids.filter((id) => bucket("a", id) <= 50 && bucket("b", id) <= 50);
    expect(inBoth.length / ids.length).toBeCloseTo(0.25, 1);
  });
});
