import { regexSize } from "@feature-flags/evaluation/regex-size";
import type { JsonFault } from "../lib/json-fault.ts";
import { type Keywords, type Schema, subschemas } from "./keywords.ts";
import { type Place, pointerOf } from "./place.ts";
import type { SoundSchema } from "./sound-schema.ts";

/**
 * The limits of a schema in which every `$ref` is replaced by the schema that it names. Together
 * with `MAX_WORK` in check-values.ts, they limit the time of a check.
 */
const MAX_COST = 10_000;
const MAX_DEPTH = 50;

/**
 * The costs of a subschema, of `uniqueItems`, of `required`, of a character of its lists, and of an
 * instruction of its pattern. A cost of 1 takes about 0.1 µs per part of a value.
 */
const COST_OF_SUBSCHEMA = 1;
const COST_OF_UNIQUE_ITEMS = 5;
const COST_OF_REQUIRED = 2;
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
  counter.count(schema.root, "");
  return counter.fault ?? counter.cost;
}

class Counter {
  cost = 0;
  fault: JsonFault | undefined;
  readonly #schema: SoundSchema;
  readonly #costs = new Map<Keywords, number>();
  /** The schemas that contain the counted schema, directly or through a `$ref`. */
  readonly #around: Schema[] = [];

  constructor(schema: SoundSchema) {
    this.#schema = schema;
  }

  /** Adds the cost of the schema at a place. */
  count(schema: Schema, place: Place): void {
    this.cost += COST_OF_SUBSCHEMA;
    if (typeof schema !== "boolean") this.cost += this.#keywordCost(schema);
    if (this.cost > MAX_COST)
      this.fault ??= {
        at: "",
        message: `is too complex: its cost, which counts subschemas, listed values and patterns, must be at most ${MAX_COST}`,
      };
    else if (this.#around.length > MAX_DEPTH)
      this.fault ??= {
        at: pointerOf(place),
        message: `must not be nested deeper than ${MAX_DEPTH} schemas`,
      };
    if (this.fault || typeof schema === "boolean") return;
    this.#around.push(schema);
    this.#countRef(schema, place);
    for (const [keyword, value] of Object.entries(schema)) {
      // Skips `$defs`. A schema in `$defs` is counted once for each `$ref` that leads to it.
      if (keyword === "$defs") continue;
      for (const [parts, inner] of subschemas(keyword, value)) {
        if (this.fault) return;
        this.count(inner as Schema, { outer: place, parts });
      }
    }
    this.#around.pop();
  }

  #countRef(schema: Keywords, place: Place): void {
    const target = this.#schema.targets.get(schema);
    if (!target) return;
    if (typeof target.schema !== "boolean" && this.#around.includes(target.schema)) {
      const message = "must not lead to a schema that contains this $ref";
      this.fault ??= { at: `${pointerOf(place)}/$ref`, message };
    } else this.count(target.schema, target.at);
  }

  /** Returns the cost of the keywords of a schema. Computes it once for all `$ref`s to the schema. */
  #keywordCost(schema: Keywords): number {
    const cost = this.#costs.get(schema) ?? keywordCost(schema);
    this.#costs.set(schema, cost);
    return cost;
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
    (schema.uniqueItems ? COST_OF_UNIQUE_ITEMS : 0) +
    (schema.required ? COST_OF_REQUIRED : 0)
  );
}
