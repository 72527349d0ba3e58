import * as fc from "fast-check";
import { expect, it } from "vitest";
import { byCodePoint } from "@feature-flags/file/json";

/** Compares lists of code points, item by item. */
function compared(a: readonly number[], b: readonly number[]): number {
  const n = a.findIndex((point, at) => point !== b[at]);
  return n === -1 ? a.length - b.length : (a[n] ?? 0) - (b[n] ?? -1);
}

const pointsOf = (text: string) => Array.from(text, (char) => char.codePointAt(0) ?? 0);

it("texts are compared by their code points, and not by the halves of surrogate pairs", () => {
  expect(["😀", "\uffee", "a", "ab", ""].toSorted(byCodePoint)).toEqual([
    "",
    "a",
    "ab",
    "\uffee",
    "😀",
  ]);
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\uffee", "😀", "😁", "🚀") });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(compared(pointsOf(a), pointsOf(b))));
    }),
  );
});
