import { expect, it } from "vitest";
import { similar } from "../../../src/core/lib/similar.ts";

it("returns the most similar names first, and none that differs in most characters", () => {
  const names = ["checkout", "new-checkout", "search", "new-checkout-2"];
  expect(similar("new-chekout", names, 3)).toEqual(["new-checkout", "new-checkout-2", "checkout"]);
  expect(similar("new-chekout", names, 1)).toEqual(["new-checkout"]);
  expect(similar("payments", names, 3)).toEqual([]);
  expect(similar("", names, 3)).toEqual([]);
});
