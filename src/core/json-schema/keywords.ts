import { isObject } from "../lib/is-object.ts";

/**
 * The keywords of JSON Schema 2020-12 (json-schema.org/draft/2020-12) and the form that the value of
 * each must have. Keywords that are not listed are annotations, such as `title`.
 */

/** Says what is wrong with the value of a keyword; undefined if nothing is. */
type Check = (value: unknown) => string | undefined;

/** How many schemas the value of a keyword contains, and how. */
export type Nesting = "one" | "list" | "map";

const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];

/** The `$schema` of 2020-12. A `#` at its end means the same. */
const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

const must =
  (isAllowed: (value: unknown) => boolean, words: string): Check =>
  (value) =>
    isAllowed(value) ? undefined : `must be ${words}`;

const isNumber = (value: unknown): value is number => typeof value === "number";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((item) => typeof item === "string") &&
  new Set(value).size === value.length;

const isTypes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && isTexts(value) && value.every((type) => TYPES.includes(type))
    : TYPES.includes(value as string);

const count = must(isCount, "a whole number from 0");
const number = must(isNumber, "a number");
const text = must((value) => typeof value === "string", "a text");

/** A keyword that would change the result, but that the validator does not know. */
const unsupported: Check = () => "is not supported";
const notOf2020 =
  (instead: string): Check =>
  () =>
    `is not a keyword of JSON Schema 2020-12; use ${instead}`;

/** The keywords whose values contain no schemas. */
export const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["type", must(isTypes, `one of ${TYPES.join(", ")}, or a list of them`)],
  ["enum", must(Array.isArray, "a list")],
  ["const", () => undefined],
  ["multipleOf", must((value) => isNumber(value) && value > 0, "a number above 0")],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", number],
  ["exclusiveMaximum", number],
  ["minLength", count],
  ["maxLength", count],
  ["minItems", count],
  ["maxItems", count],
  ["minContains", count],
  ["maxContains", count],
  ["minProperties", count],
  ["maxProperties", count],
  ["uniqueItems", must((value) => typeof value === "boolean", "true or false")],
  ["required", must(isTexts, "a list of different texts")],
  [
    "dependentRequired",
    must(
      (value) => isObject(value) && Object.values(value).every(isTexts),
      "an object of lists of different texts",
    ),
  ],
  ["pattern", text],
  ["format", text],
  ["$ref", text],
  ["$comment", text],
  ["title", text],
  ["description", text],
  [
    "$anchor",
    must(
      (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
      "a name of letters, digits, and . _ -",
    ),
  ],
  ["$id", text],
  [
    "$schema",
    must(
      (value) => typeof value === "string" && DIALECT.test(value),
      "https://json-schema.org/draft/2020-12/schema",
    ),
  ],
  ["$dynamicRef", unsupported],
  ["$dynamicAnchor", unsupported],
  ["$vocabulary", unsupported],
  ["$recursiveRef", notOf2020("$ref")],
  ["$recursiveAnchor", notOf2020("$ref")],
  ["additionalItems", notOf2020("items")],
  ["dependencies", notOf2020("dependentRequired or dependentSchemas")],
]);

/** The keywords whose values contain schemas. `definitions` is the older name of `$defs`. */
export const NESTINGS: ReadonlyMap<string, Nesting> = new Map<string, Nesting>([
  ["items", "one"],
  ["contains", "one"],
  ["additionalProperties", "one"],
  ["propertyNames", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["not", "one"],
  ["if", "one"],
  ["then", "one"],
  ["else", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["properties", "map"],
  ["patternProperties", "map"],
  ["dependentSchemas", "map"],
]);
