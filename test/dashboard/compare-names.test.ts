import { expect, it } from "vitest";
import { sortedByName } from "../../dashboard/src/shared/compare-names.ts";

it("lists sort names by letters and not by code points, and numbers in them by their value", () => {
  const names = ["zoe", "Tag 10", "Ökonom", "Äpfel", "Tag 9", "apfel", "Birne"];
  expect(sortedByName(names.map((name) => ({ name }))).map(({ name }) => name)).toEqual([
    "apfel",
    "Äpfel",
    "Birne",
    "Ökonom",
    "Tag 9",
    "Tag 10",
    "zoe",
  ]);
});
