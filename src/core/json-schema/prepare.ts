import type { Schema as Keywords } from "@cfworker/json-schema";
import type { Budget } from "./budget.ts";
import { CHECKS, type Nesting, NESTINGS } from "./keywords.ts";
import { localRef, type Schema, type SoundSchema } from "./read-schema.ts";
import { regexCheck, TEXT_KEYWORDS, type TextCheck, textCheck } from "./text-checks.ts";

/** The steps of using a schema, each of its parts, and each character of its other keywords. */
const STEPS_PER_USE = 20;
const STEPS_PER_PART = 2;
const STEPS_PER_CHARACTER = 0.1;

/** Keywords that the validator does not need: `prepare` has resolved every `$ref`. */
const LEFT_OUT = new Set([
  "$id",
  "$schema",
  "$anchor",
  "$defs",
  "definitions",
  "patternProperties",
]);

type Prepared = Keywords | boolean;
type Named = Readonly<Record<string, Schema>>;

/** A schema in the form that the validator gets. */
export interface PreparedSchema {
  readonly root: Prepared;
  /** The schemas to which a `$ref` leads, by the text of the `$ref`. */
  readonly lookup: Record<string, Prepared>;
  /** The checks of texts, by the name that they have as a `format`: their error message. */
  readonly textChecks: ReadonlyMap<string, TextCheck>;
  /** Whether the schema has `uniqueItems`. */
  readonly comparesItems: boolean;
}

/**
 * Prepares a schema for the validator, so that every check of a value is bounded:
 * - Only known keywords are left, and every `$ref` leads to a schema of `lookup`.
 * - Checks of texts become formats, because the validator would use the regular expressions of
 *   JavaScript, which can take exponential time. The formats use RE2.
 * - `patternProperties` become `properties`, for the same reason.
 * - Every use of a schema spends steps of the budget.
 *
 * @param names the names of all properties in the values that will be checked
 */
export function prepareSchema(
  schema: SoundSchema,
  names: readonly string[],
  budget: Budget,
): PreparedSchema {
  const preparation = new Preparation(schema, names, budget);
  const root = preparation.prepare(schema.root);
  const { lookup, textChecks, comparesItems } = preparation;
  return { root, lookup, textChecks, comparesItems };
}

class Preparation {
  readonly lookup: Record<string, Prepared> = {};
  readonly textChecks = new Map<string, TextCheck>();
  comparesItems = false;
  readonly #schema: SoundSchema;
  readonly #names: readonly string[];
  readonly #budget: Budget;
  readonly #prepared = new Map<Schema, Keywords>();

  constructor(schema: SoundSchema, names: readonly string[], budget: Budget) {
    this.#schema = schema;
    this.#names = names;
    this.#budget = budget;
  }

  prepare(schema: Schema): Prepared {
    if (typeof schema === "boolean") return schema;
    const known = this.#prepared.get(schema);
    if (known) return known;
    const keywords: Keywords = {};
    // The schema is known before its parts are prepared, because a part can refer to it.
    this.#prepared.set(schema, keywords);
    let steps = STEPS_PER_USE;
    for (const [keyword, value] of Object.entries(this.#withoutPatterns(schema))) {
      if (LEFT_OUT.has(keyword) || TEXT_KEYWORDS.has(keyword)) continue;
      const nesting = NESTINGS.get(keyword);
      if (nesting) {
        keywords[keyword] = this.#nested(nesting, value);
        steps += STEPS_PER_PART * Object.keys(value as object).length;
      } else if (CHECKS.has(keyword)) {
        keywords[keyword] = value;
        if (keyword === "uniqueItems") this.comparesItems = true;
        steps += STEPS_PER_CHARACTER * JSON.stringify(value).length;
      }
    }
    const texts = this.#textSchemas(schema);
    if (texts.length > 0) keywords.allOf = [...(keywords.allOf ?? []), ...texts];
    if (typeof schema["$ref"] === "string") this.#addToLookup(schema["$ref"]);
    // The validator reads every keyword that it knows once for each use of a schema. The keyword
    // `$recursiveRef` of an older JSON Schema is always absent, so its getter counts the uses.
    return Object.defineProperty(keywords, "$recursiveRef", {
      get: () => {
        this.#budget.spend(steps);
        return undefined;
      },
    });
  }

  #nested(nesting: Nesting, value: unknown): unknown {
    if (nesting === "one") return this.prepare(value as Schema);
    if (nesting === "list") return (value as Schema[]).map((item) => this.prepare(item));
    return mapped(value as Named, (item) => this.prepare(item));
  }

  #addToLookup(ref: string): void {
    const target = this.#schema.byRef.get(localRef(ref) ?? "");
    if (target !== undefined) this.lookup[ref] = this.prepare(target);
  }

  /** Returns a schema for each keyword that checks texts. */
  #textSchemas(schema: Readonly<Record<string, unknown>>): Keywords[] {
    const texts = Object.entries(schema).filter(([keyword]) => TEXT_KEYWORDS.has(keyword));
    return texts.flatMap((text) => {
      const check = textCheck(text, this.#schema.regexes, this.#budget);
      if (!check) return [];
      this.textChecks.set(...check);
      return { format: check[0] };
    });
  }

  /** Returns the schema with `properties` instead of `patternProperties`. */
  #withoutPatterns(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { patternProperties } = schema;
    if (patternProperties === undefined) return schema;
    const properties = (schema["properties"] ?? {}) as Named;
    const byName = new Map(Object.entries(properties).map(([name, item]) => [name, [item]]));
    for (const [pattern, item] of Object.entries(patternProperties as Named)) {
      const matches = regexCheck(pattern, this.#schema.regexes, this.#budget);
      for (const name of this.#names)
        if (matches(name)) byName.set(name, [...(byName.get(name) ?? []), item]);
    }
    const merged = Array.from(byName, ([name, items]) => [name, mergedSchema(items)] as const);
    return { ...schema, properties: Object.fromEntries(merged) };
  }
}

/** Returns a schema that accepts what all of the schemas accept. */
const mergedSchema = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? (schemas[0] ?? true) : { allOf: schemas };

/** Returns the object with other values. `fromEntries` also sets the key `__proto__`. */
const mapped = <T, R>(object: Readonly<Record<string, T>>, map: (value: T) => R) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
