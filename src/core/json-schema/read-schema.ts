import { Re2Pool } from "@feature-flags/evaluation/regex";
import { isObject } from "../lib/is-object.ts";
import { type JsonFault, pointerPart } from "../lib/json-fault.ts";
import { keywordFault, type Schema, subschemas } from "./keywords.ts";
import { schemaCost } from "./schema-cost.ts";
import { localRef, type SoundSchema } from "./sound-schema.ts";

/**
 * The maximum size of all regular expressions of a schema together, in compiled instructions.
 * Compiling takes a few microseconds per instruction.
 */
const MAX_REGEX_SIZE = 5000;

/** A schema that is within the limits, with its cost, which `schemaCost` computes. */
export interface ReadSchema extends SoundSchema {
  readonly cost: number;
}

/**
 * Reads a schema of the supported subset of JSON Schema 2020-12.
 * @returns the schema, or what is wrong with it, with places inside the schema
 */
export function readSchema(root: unknown): ReadSchema | readonly JsonFault[] {
  const reader = new Reader();
  reader.read(root, "");
  reader.checkRefs();
  const { faults, byRef, regexes } = reader;
  if (faults.length > 0) return faults;
  const schema = { root: root as Schema, byRef, regexes };
  const cost = schemaCost(schema);
  return typeof cost === "number" ? { ...schema, cost } : [cost];
}

class Reader {
  readonly faults: JsonFault[] = [];
  readonly byRef = new Map<string, Schema>();
  readonly regexes = new Re2Pool(MAX_REGEX_SIZE);
  readonly #refs: (readonly [at: string, ref: string])[] = [];

  read(schema: unknown, at: string): void {
    if (typeof schema !== "boolean" && !isObject(schema))
      return this.#fault(at, "must be a schema: an object, true or false");
    this.byRef.set(`#${at}`, schema);
    if (typeof schema === "boolean") return;
    for (const [keyword, value] of Object.entries(schema)) this.#readKeyword(keyword, value, at);
  }

  /** Checks that every `$ref` leads to a schema. Must run after `read`, which finds the schemas. */
  checkRefs(): void {
    for (const [at, ref] of this.#refs) {
      const local = localRef(ref);
      if (local === undefined)
        this.#fault(at, "must begin with #, because a schema cannot refer to another document");
      else if (!this.byRef.has(local))
        this.#fault(at, "must lead to a schema, such as #/$defs/size");
    }
  }

  #readKeyword(keyword: string, value: unknown, parent: string): void {
    const at = parent + pointerPart(keyword);
    const message = keywordFault(keyword, value) ?? this.#faultOf(keyword, value, parent);
    if (message !== undefined) return this.#fault(at, message);
    if (keyword === "$ref") this.#refs.push([at, String(value)]);
    for (const [path, schema] of subschemas(keyword, value))
      this.read(schema, parent + path.map(pointerPart).join(""));
  }

  /** Returns what is wrong with a keyword that depends on the rest of the schema. */
  #faultOf(keyword: string, value: unknown, parent: string): string | undefined {
    if (keyword === "$id" && parent !== "") return "is allowed only at the root of the schema";
    if (keyword !== "pattern") return undefined;
    const regex = this.regexes.compile(String(value), false);
    if (regex === "syntax") return "must be a regular expression of RE2 syntax";
    if (regex === "size")
      return `must have smaller regular expressions: together at most ${MAX_REGEX_SIZE} instructions`;
    return undefined;
  }

  #fault(at: string, message: string): void {
    this.faults.push({ at, message });
  }
}
