import { expect, it } from "vitest";
import { percentageOf } from "../src/commands/rollout.ts";
import { projectOf } from "../src/connect.ts";
import { contextOf } from "../src/context.ts";
import { didYouMean } from "../src/nearest.ts";

it("names the nearest name, or those that exist", () => {
  expect(didYouMean("new-chekout", ["colour", "new-checkout"])).toBe("Did you mean new-checkout?");
  expect(didYouMean("payments", ["colour", "cart"])).toBe("These exist: colour, cart.");
  expect(didYouMean("payments", [])).toBe("None exists.");
});

it("takes the only project without a name, and otherwise a project by its name before its id", () => {
  const project = (id: number, name: string) => ({ id, name, ownRole: "ADMIN" });
  const [one, two] = [project(1, "2"), project(2, "Shop")];
  expect(projectOf([one], undefined)).toBe(one);
  expect(() => projectOf([one, two], undefined)).toThrow("No project is set");
  expect(projectOf([one, two], "2")).toBe(one);
  expect(projectOf([one, two], "Shop")).toBe(two);
  expect(() => projectOf([one, two], "3")).toThrow("There is no project 3");
});

it("reads a context from fields and JSON, where a field counts more", () => {
  expect(contextOf(["country=DE", "query=a=b"], '{"country": "FR", "age": 42}')).toEqual({
    country: "DE",
    query: "a=b",
    age: 42,
  });
  expect(() => contextOf(["country"], undefined)).toThrow("needs a name and a value");
  expect(() => contextOf([], "[1]")).toThrow("must be a JSON object");
});

it("reads a percentage with up to three decimals", () => {
  expect(["0", "12.5", "99.999%", "100"].map(percentageOf)).toEqual([0, 12.5, 99.999, 100]);
  for (const text of ["-1", "100.001", "1.2345", "1e2", "", "half"])
    expect(() => percentageOf(text)).toThrow("between 0 and 100");
});
