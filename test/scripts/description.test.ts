import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

type Node = Readonly<Record<string, unknown>>;

const isArrayType = (type: unknown): boolean => [type].flat().includes("array");

/** Returns the places of arrays that do not say what their items are. Tools refuse such schemas. */
function arraysWithoutItems(value: unknown, place: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const node = value as Node;
  const isWithout = isArrayType(node["type"]) && typeof node["items"] !== "object";
  return [
    ...(isWithout ? [place] : []),
    ...Object.entries(node).flatMap(([key, part]) => arraysWithoutItems(part, `${place}/${key}`)),
  ];
}

it("the API description says of each array what its items are", () => {
  const file = path.resolve(import.meta.dirname, "../../openapi.json");
  expect(arraysWithoutItems(JSON.parse(readFileSync(file, "utf8")), "")).toEqual([]);
});

it.each([
  [{ type: "array" }],
  [{ type: ["array", "null"], prefixItems: [{ type: "string" }] }],
  [{ type: "array", items: false }],
])("an array such as %j does not say what its items are", (schema) => {
  expect(arraysWithoutItems({ a: schema }, "")).toEqual(["/a"]);
});
