import { describe, expect, it } from "vitest";
import {
  newUserCode,
  parseUserCode,
  shownUserCode,
} from "../../../src/core/credentials/user-code.ts";

describe("a new user code", () => {
  it("has 8 letters of the alphabet of RFC 8628, all equally often", () => {
    const codes = Array.from({ length: 5000 }, newUserCode);
    expect(codes.filter((code) => !/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code))).toEqual([]);
    const counts = new Map<string, number>();
    for (const letter of codes.join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    // 2,000 are expected; 300 more or fewer are 7 standard deviations.
    const odd = [...counts.values()].filter((count) => Math.abs(count - 2000) > 300);
    expect([counts.size, odd]).toEqual([20, []]);
  });

  it("is read as it is shown", () => {
    const code = newUserCode();
    expect(shownUserCode(code)).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(parseUserCode(shownUserCode(code))).toBe(code);
  });
});

it.each([
  ["wdjb-mjht", "WDJBMJHT"],
  [" WDJB MJHT ", "WDJBMJHT"],
  ["WDJB–MJHT", "WDJBMJHT"],
  ["WDJB-MJH", undefined],
  ["WDJB-MJHTT", undefined],
  ["WDJA-MJHT", undefined],
  ["", undefined],
])("the text %j is the user code %s", (text, code) => {
  expect(parseUserCode(text)).toBe(code);
});
