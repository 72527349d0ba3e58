import { Re2Pool } from "@feature-flags/evaluation/regex";
import type { Regex } from "@feature-flags/evaluation/regex-pool";
import type { JsonFault } from "../lib/json-fault.ts";
import { isSchema, keywordFault, type Keywords, schemaAt, subschemas } from "./keywords.ts";
import { type Place, pointerOf } from "./place.ts";
import { schemaCost } from "./schema-cost.ts";
import { pointerOfRef, type SoundSchema, type Target } from "./sound-schema.ts";

/**
 * The maximum size of all regular expressions of a schema together, in compiled instructions.
 * Compiling takes a few microseconds per instruction.
 */
const MAX_REGEX_SIZE = 5000;

/** The maximum number of schemas in a schema. The cost of a schema does not count unused `$defs`. */
const MAX_SUBSCHEMAS = 10_000;

const MAX_FAULTS = 20;

/** A schema that is within the limits. */
export interface ReadSchema extends SoundSchema {
  /** The cost of applying the schema, which `schemaCost` computes. */
  readonly cost: number;
  /** The size of the regular expressions together, in compiled instructions. */
  readonly regexSize: number;
}

/** A schema that is not allowed. */
export interface FaultySchema {
  /** What is wrong, with places inside the schema: at most `MAX_FAULTS` faults. */
  readonly faults: readonly JsonFault[];
  /** The size of the regular expressions that were compiled, in instructions. */
  readonly regexSize: number;
}

/** Reads a schema of the supported subset of JSON Schema 2020-12. */
export function readSchema(root: unknown): ReadSchema | FaultySchema {
  const reader = new Reader();
  reader.read(root, "");
  reader.checkRefs(root);
  const { faults, targets, regexes, regexSize } = reader;
  if (!isSchema(root) || faults.length > 0) return { faults, regexSize };
  const schema = { root, targets, regexes };
  const cost = schemaCost(schema);
  return typeof cost === "number" ? { ...schema, cost, regexSize } : { faults: [cost], regexSize };
}

class Reader {
  readonly faults: JsonFault[] = [];
  readonly targets = new Map<Keywords, Target>();
  readonly regexes = new Map<Keywords, Regex>();
  readonly #pool = new Re2Pool(MAX_REGEX_SIZE);
  readonly #refs: (readonly [schema: Keywords, place: Place])[] = [];
  #subschemas = 0;

  get regexSize(): number {
    return this.#pool.size;
  }

  read(schema: unknown, place: Place): void {
    if (this.faults.length >= MAX_FAULTS || this.#subschemas > MAX_SUBSCHEMAS) return;
    this.#subschemas++;
    if (this.#subschemas > MAX_SUBSCHEMAS)
      return this.#fault("", `is too complex: it must have at most ${MAX_SUBSCHEMAS} subschemas`);
    if (!isSchema(schema)) return this.#fault(place, "must be a schema: an object, true or false");
    if (typeof schema === "boolean") return;
    for (const [keyword, value] of Object.entries(schema))
      this.#readKeyword(schema, keyword, { value, place });
  }

  /** Checks that every `$ref` leads to a schema. Must run after `read`, which finds them. */
  checkRefs(root: unknown): void {
    for (const [schema, place] of this.#refs) {
      const at = pointerOfRef(String(schema.$ref));
      const target = at === undefined ? undefined : schemaAt(root, at);
      if (at === undefined)
        this.#fault(place, "must begin with #, because a schema cannot refer to another document");
      else if (target === undefined)
        this.#fault(place, "must lead to a schema, such as #/$defs/size");
      else this.targets.set(schema, { schema: target, at });
    }
  }

  #readKeyword(
    schema: Keywords,
    keyword: string,
    { value, place: outer }: { readonly value: unknown; readonly place: Place },
  ): void {
    const place = { outer, parts: [keyword] };
    const message =
      keywordFault(keyword, value) ??
      (keyword === "pattern" ? this.#patternFault(schema) : undefined) ??
      // The place of the root is "".
      (keyword === "$id" && outer !== "" ? "is allowed only at the root of the schema" : undefined);
    if (message !== undefined) return this.#fault(place, message);
    if (keyword === "$ref") this.#refs.push([schema, place]);
    for (const [parts, inner] of subschemas(keyword, value)) this.read(inner, { outer, parts });
  }

  /** Compiles the pattern of a schema. Returns what is wrong with it. */
  #patternFault(schema: Keywords): string | undefined {
    const regex = this.#pool.compile(String(schema.pattern), false);
    if (regex === "syntax") return "must be a regular expression of RE2 syntax";
    if (regex === "size")
      return `must have smaller regular expressions: together at most ${MAX_REGEX_SIZE} instructions`;
    this.regexes.set(schema, regex);
    return undefined;
  }

  #fault(place: Place, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ at: pointerOf(place), message });
  }
}
