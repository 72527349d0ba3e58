import { regexSize } from "@feature-flags/evaluation/regex-size";
import { type JsonFault, pointerPart } from "../lib/json-fault.ts";
import { type Keywords, type Schema, subschemas } from "./keywords.ts";
import { localRef, type SoundSchema } from "./sound-schema.ts";

/**
 * The limits of a schema in which every `$ref` is replaced by the schema that it names. Together
 * with `MAX_WORK` in check-values.ts, they limit the time of a check.
 */
const MAX_COST = 10_000;
const MAX_DEPTH = 50;

/**
 * The costs of a subschema, of `uniqueItems`, of a character of its lists, and of an instruction of
 * its pattern. A cost of 1 takes about 0.1 µs per part of a value.
 */
const COST_OF_SUBSCHEMA = 1;
const COST_OF_UNIQUE_ITEMS = 5;
const COST_OF_CHARACTER = 1 / 8;
const COST_OF_INSTRUCTION = 2;

/** The keywords whose lists are compared with the checked value, part by part. */
const LISTS = ["enum", "const", "required"] as const;

/**
 * Returns the cost of a schema, or a fault if the schema refers to itself or is too large. The
 * validator applies each subschema to each part of a value at most once, so the time of a check is
 * at most proportional to this cost, multiplied by the size of the values.
 */
export function schemaCost(schema: SoundSchema): number | JsonFault {
  const counter = new Counter(schema);
  counter.count(schema.root, "", []);
  return counter.fault ?? counter.cost;
}

class Counter {
  cost = 0;
  fault: JsonFault | undefined;
  readonly #schema: SoundSchema;

  constructor(schema: SoundSchema) {
    this.#schema = schema;
  }

  /**
   * Adds the cost of the schema at a place.
   * @param around the places of the schemas that contain this schema, directly or through a `$ref`
   */
  count(schema: Schema, at: string, around: readonly string[]): void {
    this.cost += COST_OF_SUBSCHEMA;
    if (typeof schema !== "boolean") this.cost += keywordCost(schema);
    if (this.cost > MAX_COST)
      this.fault ??= {
        at: "",
        message: `is too complex: its cost, which counts subschemas, listed values and patterns, must be at most ${MAX_COST}`,
      };
    else if (around.length > MAX_DEPTH)
      this.fault ??= { at, message: `must not be nested deeper than ${MAX_DEPTH} schemas` };
    if (this.fault || typeof schema === "boolean") return;
    const inside = [...around, at];
    if (schema.$ref !== undefined) this.#countRef(schema.$ref, at, inside);
    for (const [keyword, value] of Object.entries(schema)) {
      // Skips `$defs`. A schema in `$defs` is counted once for each `$ref` that leads to it.
      if (keyword === "$defs") continue;
      for (const [path, inner] of subschemas(keyword, value))
        this.count(inner as Schema, at + path.map(pointerPart).join(""), inside);
    }
  }

  #countRef(ref: string, at: string, around: readonly string[]): void {
    const target = localRef(ref) ?? "";
    const place = target.slice(1);
    if (around.includes(place)) {
      const message = "must not lead to a schema that contains this $ref";
      this.fault ??= { at: `${at}/$ref`, message };
    } else {
      const schema = this.#schema.byRef.get(target);
      if (schema !== undefined) this.count(schema, place, around);
    }
  }
}

/** Returns the cost of the keywords of a schema, without the schemas inside it. */
function keywordCost(schema: Keywords): number {
  const characters = LISTS.reduce(
    (sum, keyword) => sum + (JSON.stringify(schema[keyword])?.length ?? 0),
    0,
  );
  const instructions = schema.pattern === undefined ? 0 : regexSize(schema.pattern, false);
  return (
    COST_OF_CHARACTER * characters +
    COST_OF_INSTRUCTION * instructions +
    (schema.uniqueItems ? COST_OF_UNIQUE_ITEMS : 0)
  );
}
