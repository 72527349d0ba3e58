import { expect, it } from "vitest";
import { lineDiff, withGaps } from "../../dashboard/src/shared/history/line-diff.ts";

const text = (lines: readonly string[]) => lines.join("\n");
const signed = (before: string, after: string) =>
  lineDiff(before, after).map((line) => `${line.sign}${line.text}`);

it("a diff by line removes and adds as few lines as possible", () => {
  const before = text(["a", "b", "c", "d", "e"]);
  const after = text(["a", "c", "x", "d", "e", "f"]);
  expect(signed(before, after)).toEqual([" a", "−b", " c", "+x", " d", " e", "+f"]);
});

it("a diff by line contains both texts, for any two texts", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const randomText = () => text(Array.from({ length: random(12) }, () => String(random(4))));
  for (let n = 0; n < 500; n++) {
    const [before, after] = [randomText(), randomText()];
    const lines = lineDiff(before, after);
    const without = (sign: string) =>
      text(lines.filter((line) => line.sign !== sign).map((line) => line.text));
    expect([without("+"), without("−")]).toEqual([before, after]);
  }
});

it("a diff of very long texts removes all changed lines and adds the new ones", () => {
  const lines = (prefix: string) => Array.from({ length: 2_000 }, (_, n) => `${prefix}${n}`);
  const diff = lineDiff(text(["same", ...lines("a")]), text(["same", ...lines("b")]));
  expect(diff).toHaveLength(4_001);
  expect(diff[0]).toEqual({ sign: " ", text: "same" });
});

it("a short diff leaves out unchanged lines that are not next to a change", () => {
  const before = Array.from({ length: 20 }, (_, n) => String(n));
  const after = before.with(10, "ten");
  expect(withGaps(lineDiff(text(before), text(after)))).toEqual([
    { hidden: 8 },
    { sign: " ", text: "8" },
    { sign: " ", text: "9" },
    { sign: "−", text: "10" },
    { sign: "+", text: "ten" },
    { sign: " ", text: "11" },
    { sign: " ", text: "12" },
    { hidden: 7 },
  ]);
});
