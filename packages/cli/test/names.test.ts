import { expect, it } from "vitest";
import { percentageOf } from "../src/commands/rollout.ts";
import { projectOf } from "../src/connect.ts";
import { contextOf } from "../src/context.ts";
import { nearest } from "../src/nearest.ts";

it.each([
  ["new-chekout", "new-checkout"],
  ["New-Checkout", "new-checkout"],
  ["color", "colour"],
  ["payments", undefined],
  ["", undefined],
])("finds for the typing error %j the name %j", (text, name) => {
  expect(nearest(text, ["new-checkout", "colour", "cart"])).toBe(name);
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
