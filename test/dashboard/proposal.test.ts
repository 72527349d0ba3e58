import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { paths } from "../../dashboard/src/shared/api/schema.d.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

type Responses = paths["/api/v1/flags/{flagId}/strategies"]["put"]["responses"];
/** The body of a success, as the types of clients that are made from the description have it. */
type Body = Responses[200 | 202]["content"]["application/json"];

/** The code of docs/use/safe-production.md, which the type check compiles. */
function described(data: Body): string {
  if ("mayReview" in data) return `Change request ${data.id} is open`; // 202
  return `Version ${data.version} counts`; // 200
}

it("the example in the documents tells a change request from the result of a direct change", () => {
  const change = { version: 3 } as Body;
  const request = { id: 7, mayReview: true } as Body;
  expect([described(change), described(request)]).toEqual([
    "Version 3 counts",
    "Change request 7 is open",
  ]);
  const lines = described.toString().split("\n").slice(1, -1);
  for (const line of lines)
    expect(read("docs/use/safe-production.md")).toContain(
      line.replace(/;?\s*(?:\/\/.*)?$/, "").trim(),
    );
});

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

interface Content {
  readonly "application/json"?: { readonly schema: Schema };
}

interface Response {
  readonly content?: Content;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

it("only a change request has the field mayReview among the responses of a change", () => {
  const { paths: routes, components } = JSON.parse(read("openapi.json")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, Schema>>;
      readonly responses: Readonly<Record<string, Response>>;
    };
  };
  const hasField = ({ $ref, properties = {}, allOf = [], anyOf = [] }: Schema): boolean =>
    ($ref !== undefined && hasField(components.schemas[$ref.split("/").at(-1) ?? ""] ?? {})) ||
    Object.hasOwn(properties, "mayReview") ||
    [...allOf, ...anyOf].some(hasField);
  const schemaOf = ({ responses }: Operation, status: string): Schema | undefined => {
    const { $ref, content } = responses[status] ?? {};
    const shared = components.responses[$ref?.split("/").at(-1) ?? ""];
    return (shared?.content ?? content)?.["application/json"]?.schema;
  };
  const changes = Object.values(routes)
    .flatMap((route) => Object.values(route))
    .filter((one) => schemaOf(one, "202")?.$ref?.endsWith("/ChangeRequest"));
  expect(changes.length).toBeGreaterThanOrEqual(9);
  for (const one of changes)
    for (const status of ["200", "201"])
      expect([one.operationId, hasField(schemaOf(one, status) ?? {})]).toEqual([
        one.operationId,
        false,
      ]);
  expect(components.schemas["ChangeRequest"]?.required).toContain("mayReview");
});
