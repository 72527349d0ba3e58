import { expect, it } from "vitest";
import { changeText } from "../src/change-text.ts";
import { counted } from "../src/counted.ts";

it.each([
  [
    "percentage 25 → 12.5",
    { percentage: 25, exactPercentage: null },
    { percentage: 12, exactPercentage: 12.5 },
  ],
  [
    "percentage 12.5 → 25",
    { percentage: 12, exactPercentage: 12.5 },
    { percentage: 25, exactPercentage: null },
  ],
  ["percentage 12 → 12.5", { exactPercentage: null }, { exactPercentage: 12.5 }],
  ["percentage 12.5 → 12", { exactPercentage: 12.5 }, { exactPercentage: null }],
  ["percentage 12.5 → 12.25", { exactPercentage: 12.5 }, { exactPercentage: 12.25 }],
  [
    "percentage 10 → 20, enabled false → true",
    { enabled: false, percentage: 10 },
    { enabled: true, percentage: 20 },
  ],
  ['name nothing → "Cart"', null, { name: "Cart" }],
])("a change is shown as %s", (text, before, after) => {
  expect(changeText(before, after)).toBe(text);
});

it.each([
  [0, "0 changes"],
  [1, "1 change"],
  [2, "2 changes"],
])("%i of a noun is %s", (count, text) => {
  expect(counted(count, "change")).toBe(text);
});
