import { describe, expect, it } from "vitest";
import { hasRightChecksum, newAccessToken } from "../../../src/core/credentials/access-token.ts";
import { kindOfToken } from "../../../src/core/credentials/token-kind.ts";

describe("a new token", () => {
  it.each(["ffpat", "ffsvc"] as const)("of the kind %s has its form and its checksum", (prefix) => {
    const token = newAccessToken(prefix);
    expect(token).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{42}$`));
    expect(kindOfToken(token)).toBe("token");
    expect(hasRightChecksum(token)).toBe(true);
  });

  it("differs from every other one", () => {
    const tokens = Array.from({ length: 1000 }, () => newAccessToken("ffpat"));
    expect(new Set(tokens).size).toBe(1000);
  });
});

// Computed with zlib.crc32 of Python.
it.each([
  ["0".repeat(36), "0etOEM"],
  ["abcdefghijklmnopqrstuvwxyz0123456789", "464tr9"],
  ["AQ".repeat(18), "1GEYee"],
])("the checksum of %s is %s", (random, checksum) => {
  expect(hasRightChecksum(`ffpat_${random}${checksum}`)).toBe(true);
});

it("no other last or first character has the same checksum", () => {
  const token = newAccessToken("ffpat");
  for (const other of "0aZ9bY") {
    const [last, first] = [token.slice(0, -1) + other, `ffpat_${other}${token.slice(7)}`];
    expect(hasRightChecksum(last)).toBe(last === token);
    expect(hasRightChecksum(first)).toBe(first === token);
  }
});
