import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { api } from "../../src/api.ts";
import { completed } from "../../src/api-docs/complete.ts";
import { shared } from "../../src/api-docs/share.ts";

type Node = Readonly<Record<string, unknown>>;

const FILE = path.resolve(import.meta.dirname, "../../openapi.json");

/** The most that generators and people read of the API description, bytes. */
const MAX_BYTES = 700_000;

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
  expect(arraysWithoutItems(JSON.parse(readFileSync(FILE, "utf8")), "")).toEqual([]);
});

it.each([
  [{ type: "array" }],
  [{ type: ["array", "null"], prefixItems: [{ type: "string" }] }],
  [{ type: "array", items: false }],
])("an array such as %j does not say what its items are", (schema) => {
  expect(arraysWithoutItems({ a: schema }, "")).toEqual(["/a"]);
});

it("the API description takes at most 700 KB in the repository, and less in a response", () => {
  const text = readFileSync(FILE);
  expect(text.length).toBeLessThanOrEqual(MAX_BYTES);
  expect(JSON.stringify(JSON.parse(text.toString())).length).toBeLessThan(text.length);
});

/** Returns the paths of a document with its shared parameters and responses in their places. */
function inlined({ paths, components }: ReturnType<typeof shared>): unknown {
  const shares = components as Readonly<Record<string, Node>>;
  return JSON.parse(JSON.stringify(paths), (_, value: { readonly $ref?: string } | null) => {
    const [, kind = "", name = ""] =
      /^#\/components\/(parameters|responses)\/(.+)$/.exec(value?.$ref ?? "") ?? [];
    return shares[kind]?.[name] ?? value;
  });
}

it("an operation means the same when it shares its parameters and responses with others", () => {
  const described = () =>
    completed(
      api.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "API", version: "1.0.0" } }),
    );
  expect(inlined(shared(described()))).toEqual(inlined(described()));
});
