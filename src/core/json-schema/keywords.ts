import { isObject } from "../lib/is-object.ts";
import { pointerPart } from "../lib/json-fault.ts";

/**
 * The supported keywords of JSON Schema 2020-12 (json-schema.org/draft/2020-12), and the form that
 * the value of each must have. docs/use/api.md lists them.
 */

/** Returns what is wrong with the value of a keyword; undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

/** How many schemas the value of a keyword contains, and how. */
type Nesting = "one" | "list" | "map";

/** A schema: an object of keywords, or a boolean, which accepts everything or nothing. */
export type Schema = boolean | Keywords;

/** The keywords that `valueFault` checks. */
export interface Keywords {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly multipleOf?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly prefixItems?: readonly Schema[];
  readonly items?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
}

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];

/** The maximum length of a name in `properties` and `$defs`, characters (docs/use/api.md, Limits). */
const MAX_NAME_LENGTH = 200;

/** The `$schema` of 2020-12. A `#` at its end means the same. */
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const must =
  (isAllowed: (value: unknown) => boolean, words: string): Check =>
  (value) =>
    isAllowed(value) ? undefined : `must be ${words}`;

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((item) => typeof item === "string") &&
  new Set(value).size === value.length;

const isTypes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && isTexts(value) && value.every((type) => TYPES.includes(type))
    : TYPES.includes(value as string);

const count = must(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "a whole number from 0",
);
const number = must((value) => typeof value === "number", "a number");
const flag = must((value) => typeof value === "boolean", "true or false");
const text = must((value) => typeof value === "string", "a text");
const anything: Check = () => undefined;

const schemas = must(
  (value) => Array.isArray(value) && value.length > 0,
  "a list of at least one schema",
);
const namedSchemas = must(
  (value) => isObject(value) && Object.keys(value).every((name) => name.length <= MAX_NAME_LENGTH),
  `an object of schemas with names of at most ${MAX_NAME_LENGTH} characters`,
);

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["type", must(isTypes, `one of ${TYPES.join(", ")}, or a list of them`)],
  ["enum", must(Array.isArray, "a list")],
  ["const", anything],
  ["multipleOf", must((value) => typeof value === "number" && value > 0, "a number above 0")],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", number],
  ["exclusiveMaximum", number],
  ["minLength", count],
  ["maxLength", count],
  ["pattern", text],
  ["format", text],
  ["minItems", count],
  ["maxItems", count],
  ["uniqueItems", flag],
  ["prefixItems", schemas],
  ["items", anything],
  ["minProperties", count],
  ["maxProperties", count],
  ["required", must(isTexts, "a list of different texts")],
  ["properties", namedSchemas],
  ["additionalProperties", anything],
  ["allOf", schemas],
  ["anyOf", schemas],
  ["oneOf", schemas],
  ["not", anything],
  ["if", anything],
  ["then", anything],
  ["else", anything],
  ["$defs", namedSchemas],
  ["$ref", text],
  ["$id", text],
  [
    "$schema",
    must(
      (value) => typeof value === "string" && DIALECT.test(value),
      "https://json-schema.org/draft/2020-12/schema",
    ),
  ],
  ["$comment", text],
  ["title", text],
  ["description", text],
  ["default", anything],
  ["examples", anything],
  ["deprecated", flag],
  ["readOnly", flag],
  ["writeOnly", flag],
  ["contentEncoding", text],
  ["contentMediaType", text],
]);

/** The keyword or form that an error message recommends instead of an unsupported keyword. */
const INSTEAD: Readonly<Record<string, string>> = {
  $anchor: "a $ref to the place in the schema, such as #/$defs/size",
  $recursiveRef: "$ref",
  additionalItems: "items",
  definitions: "$defs",
  dependencies: "if and then",
  dependentRequired: "if and then",
  dependentSchemas: "if and then",
  patternProperties: "additionalProperties",
  propertyNames: "properties and additionalProperties",
  unevaluatedItems: "items",
  unevaluatedProperties: "additionalProperties",
};

/** The keywords whose values contain schemas. */
const NESTINGS: ReadonlyMap<string, Nesting> = new Map<string, Nesting>([
  ["items", "one"],
  ["additionalProperties", "one"],
  ["not", "one"],
  ["if", "one"],
  ["then", "one"],
  ["else", "one"],
  ["prefixItems", "list"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["properties", "map"],
  ["$defs", "map"],
]);

/** Returns what is wrong with a keyword or its value. A name that begins with `x-` is an annotation. */
export function keywordFault(keyword: string, value: unknown): string | undefined {
  if (keyword.startsWith("x-")) return undefined;
  const check = CHECKS.get(keyword);
  if (check) return check(value);
  const instead = Object.hasOwn(INSTEAD, keyword) ? `; use ${INSTEAD[keyword]}` : "";
  return `is not a supported keyword of JSON Schema${instead}`;
}

/** Whether a value has the type of a schema. Its keywords may have faults. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === "boolean" || isObject(value);

/** Returns the schema at a JSON Pointer inside a schema; undefined if there is none. */
export function schemaAt(root: unknown, pointer: string): Schema | undefined {
  const parts = pointer.split("/").slice(1);
  const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  // Rejects other pointers than those that error messages have, such as `a` or `/~2`.
  if (names.map(pointerPart).join("") !== pointer) return undefined;
  let schema = root;
  for (let n = 0; n < names.length; n++) {
    const keyword = names[n] ?? "";
    const nesting = NESTINGS.get(keyword);
    schema = nesting && partOf(schema, keyword);
    if (nesting === "list" || nesting === "map") schema = partOf(schema, names[++n]);
  }
  return isSchema(schema) ? schema : undefined;
}

/** Returns a part of an object or list; undefined if there is none. */
const partOf = (value: unknown, name: string | undefined): unknown =>
  name !== undefined && typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Returns the schemas in the value of a keyword, with their keys; none for another keyword. */
export function subschemas(
  keyword: string,
  value: unknown,
): (readonly [path: readonly (string | number)[], schema: unknown])[] {
  switch (NESTINGS.get(keyword)) {
    case "one":
      return [[[keyword], value]];
    case "list":
      return (value as unknown[]).map((item, n) => [[keyword, n], item]);
    case "map":
      return Object.entries(value as object).map(([name, item]) => [[keyword, name], item]);
    default:
      return [];
  }
}
