import { expect, it } from "vitest";
import { lineDiff, withGaps } from "../../dashboard/src/shared/history/line-diff.ts";

const text = (lines: readonly string[]) => lines.join("\n");

it("a diff by line has a sign for each removed and each added line", () => {
  const before = text(["a", "b", "c", "d", "e"]);
  const after = text(["a", "c", "x", "d", "e", "f"]);
  const lines = lineDiff(before, after).map((line) => `${line.sign}${line.text}`);
  expect(lines).toEqual([" a", "−b", " c", "+x", " d", " e", "+f"]);
});

it("a diff of texts with thousands of changed lines removes all old lines and adds all new ones", () => {
  const lines = (prefix: string) => Array.from({ length: 2_000 }, (_, n) => `${prefix}${n}`);
  const diff = lineDiff(text(lines("a")), text(lines("b")));
  expect(diff.map(({ sign }) => sign).join("")).toBe("−".repeat(2_000) + "+".repeat(2_000));
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
