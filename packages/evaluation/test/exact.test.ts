import * as fc from "fast-check";
import { compare, parse } from "semver";
import { describe, expect, test } from "vitest";
import { compareDecimals, decimalKey, parseDecimal } from "../src/decimal.ts";
import { foldCase } from "../src/fold.ts";
import { parseInstant, parseVersion } from "../src/parse.ts";
import { compareVersions } from "../src/version.ts";
import { RE2JS } from "re2js";

const DECIMALS = 30;

/** A decimal text with at most 30 decimals, and the number times 10^30. */
const decimal = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.oneof(
      fc.bigInt(0n, 20n),
      fc.bigInt(2n ** 53n - 9n, 2n ** 53n + 9n),
      fc.bigInt(0n, 10n ** 25n),
    ),
    fc.string({ unit: fc.constantFrom("0", "0", "1", "9"), maxLength: 20 }),
    fc.integer({ min: -10, max: 10 }),
  )
  .map(([sign, whole, fraction, exponent]) => ({
    text: `${sign}${whole}${fraction && "."}${fraction}e${exponent}`,
    scaled:
      BigInt(`${whole}${fraction}`) *
      10n ** BigInt(DECIMALS - fraction.length + exponent) *
      (sign === "-" ? -1n : 1n),
  }));

const read = (text: string) => parseDecimal(text) ?? Number.NaN;

describe("a decimal text", () => {
  test("compares with another one as the exact numbers do", () => {
    const near = decimal.chain((one) =>
      fc.tuple(
        fc.constant(one),
        fc.oneof(
          decimal,
          fc.bigInt(-2n, 2n).map((by) => ({
            text: `${one.scaled + by}e-${DECIMALS}`,
            scaled: one.scaled + by,
          })),
        ),
      ),
    );
    fc.assert(
      fc.property(near, ([a, b]) => {
        const [x, y] = [read(a.text), read(b.text)];
        const expected = a.scaled < b.scaled ? -1 : a.scaled > b.scaled ? 1 : 0;
        expect(Math.sign(compareDecimals(x, y)) + 0).toBe(expected);
        expect(decimalKey(x) === decimalKey(y)).toBe(expected === 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("is the double whose shortest text it is", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        // The text of -0 is that of 0.
        expect(read(String(number))).toBe(number + 0);
      }),
    );
  });

  test.each(["1e-400", "1.23456e-322"])(
    "%s, which a double cannot hold, is not rounded",
    (text) => {
      expect(decimalKey(read(text))).not.toBe(Number(text));
    },
  );

  test.each(["1e400", "9".repeat(400)])(
    "%s, which is above the largest double, is no number",
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
});

test("a time keeps all decimals of a second, before and after 1970", () => {
  const texts = ["1969-12-31T23:59:59.9999999991Z", "2026-01-02T03:04:05.123456789Z"];
  for (const text of texts) {
    const later = parseInstant(text.replace("9Z", "91Z").replace("1Z", "2Z"));
    expect(compareDecimals(parseInstant(text) ?? 0, later ?? 0)).toBeLessThan(0);
    expect(decimalKey(parseInstant(text) ?? 0)).toBe(
      decimalKey(parseInstant(text.replace("Z", "000+00:00")) ?? 0),
    );
  }
});

describe("a version", () => {
  const number = fc.oneof(fc.nat(2).map(String), fc.bigInt(2n ** 53n, 10n ** 30n).map(String));
  const part = fc.oneof(number, fc.constantFrom("a", "b", "a1", "-", "0a", "1-"));
  const version = fc.tuple(number, number, number, fc.array(part, { maxLength: 3 }));
  const textOf = (
    [major, minor, patch, parts]: [string, string, string, string[]],
    written = (one: string) => one,
  ) =>
    [major, minor, patch].map(written).join(".") +
    (parts.length > 0 ? `-${parts.map(written).join(".")}` : "");

  test("compares with another one as the package semver does, with numbers of any length", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        // The package reads numbers below 2^53 only, so it gets the rank of each longer number.
        const long = [a, b].flat(2).filter((one) => /^\d{16,}$/.test(one));
        const ranks = [...new Set(long.map(BigInt))].toSorted((x, y) => (x < y ? -1 : 1));
        const ranked = (one: string) =>
          long.includes(one) ? `${100 + ranks.indexOf(BigInt(one))}` : one;
        const [x, y] = [parseVersion(textOf(a)), parseVersion(textOf(b))];
        const order = x && y && Math.sign(compareVersions(x, y));
        expect(order).toBe(compare(textOf(a, ranked), textOf(b, ranked)));
      }),
      { numRuns: 2000 },
    );
  });

  test("is valid exactly if it is for the package semver", () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom("0", "1", ".", "-", "+", "a", "v", " "), maxLength: 12 }),
      fc
        .string({ unit: fc.constantFrom("0", "1", ".", "-", "+", "a"), maxLength: 9 })
        .map((end) => `1.0.0${end}`),
    );
    fc.assert(
      fc.property(text, (one) => {
        const isVersion = /^\d\S*$/.test(one);
        expect(parseVersion(one)?.version).toBe(isVersion ? parse(one)?.version : undefined);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a text without regard to case", () => {
  const letters = Array.from({ length: 0x1_f0_00 }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => /\p{Cased}|\p{Changes_When_Casefolded}/u.test(letter),
  );

  test("is equal to another letter exactly if it is by simple case folding of Unicode", () => {
    const all = letters.join("");
    const groups = new Set<string>();
    for (const letter of letters) {
      // The flags `iu` compare letters by simple case folding (ECMA-262, Canonicalize).
      const same = all.match(new RegExp(letter, "giu")) ?? [];
      groups.add(same.join(""));
      expect(new Set(same.map(foldCase))).toEqual(new Set([foldCase(letter)]));
    }
    expect(new Set(letters.map(foldCase)).size).toBe(groups.size);
  });

  test("contains each part of the text", () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from("ΣσςΟο µΜİıIißẞſsDŽ.𐐀")),
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, text, text, (before, part, after) => {
        expect(foldCase(before + part + after)).toBe(
          foldCase(before) + foldCase(part) + foldCase(after),
        );
      }),
    );
  });

  test("is equal where RE2 finds it with (?i)", () => {
    for (const [a = "", b = ""] of ["Σς", "µμ", "ſs", "Kk", "ẞß", "Ωω"].map((two) =>
      two.split(""),
    )) {
      expect(RE2JS.compile(a, RE2JS.CASE_INSENSITIVE).matches(b)).toBe(true);
      expect(foldCase(a)).toBe(foldCase(b));
    }
  });
});
