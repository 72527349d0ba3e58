import { expect, it } from "vitest";
import { isWrongForOldSdks } from "../../dashboard/src/features/flag-page/old-sdks.ts";
import type { Serve } from "../../dashboard/src/shared/api/types.ts";
import { forTexts, type RuleSettings } from "../../dashboard/src/shared/strategy/settings.ts";

const rule = (serve: Serve, exactPercentage = 100): RuleSettings => ({
  name: null,
  exactPercentage,
  constraints: [],
  segmentIds: [],
  ...forTexts(() => null),
  serve,
});

const ON = rule({ variant: "on" });
const OFF = rule({ variant: "off" });
const BOOLEAN = { offVariant: "off" };

it("an old SDK evaluates the flag wrongly if an earlier rule serves off and the last rule serves on", () => {
  expect(isWrongForOldSdks(BOOLEAN, { ...ON, rules: [OFF] })).toBe(true);
  expect(isWrongForOldSdks(BOOLEAN, { ...ON, rules: [ON] })).toBe(false);
  const split = rule({ weights: { on: 99.9, off: 0.1 } });
  expect(isWrongForOldSdks(BOOLEAN, { ...ON, rules: [ON, split] })).toBe(true);
});

it("an old SDK evaluates the flag wrongly if the last rule serves off to a part of its users", () => {
  const split = rule({ weights: { on: 99.9, off: 0.1 } });
  expect(isWrongForOldSdks(BOOLEAN, { ...split, rules: [ON] })).toBe(true);
});

it("an old SDK evaluates the flag correctly if the last rule serves only off, because an old SDK gets a roll-out of 0 %", () => {
  expect(isWrongForOldSdks(BOOLEAN, { ...OFF, rules: [ON] })).toBe(false);
  expect(isWrongForOldSdks(BOOLEAN, { ...rule({ weights: { off: 100 } }), rules: [OFF] })).toBe(
    false,
  );
});

it("an old SDK evaluates the flag correctly if the last rule is on for nobody, or if no rule serves off", () => {
  expect(isWrongForOldSdks(BOOLEAN, { ...ON, exactPercentage: 0.999, rules: [OFF] })).toBe(false);
  expect(isWrongForOldSdks(BOOLEAN, { ...ON, rules: [rule({ variant: "off" }, 0)] })).toBe(false);
  expect(isWrongForOldSdks({ offVariant: null }, { ...ON, rules: [OFF] })).toBe(false);
});
