import { Re2Pool } from "@feature-flags/evaluation/regex";
import { isObject } from "../lib/is-object.ts";
import { type JsonFault, pointerPart } from "../lib/json-fault.ts";
import { CHECKS, NESTINGS } from "./keywords.ts";

/** A schema: an object of keywords, or a boolean, which accepts everything or nothing. */
export type Schema = boolean | Readonly<Record<string, unknown>>;

/**
 * The maximum size of the regular expressions of a schema, in instructions. Compiling takes a few
 * microseconds for each.
 */
const MAX_REGEX_SIZE = 5000;

/** A schema whose keywords are well formed. */
export interface SoundSchema {
  readonly root: Schema;
  /** The schemas inside it, and itself, by `$ref`: `#`, `#/$defs/size`, `#anchor`. */
  readonly byRef: ReadonlyMap<string, Schema>;
  /** The compiled regular expressions. */
  readonly regexes: Re2Pool;
}

/** Returns the schemas in the value of a keyword, with their places; none for another keyword. */
function subschemas(keyword: string, value: unknown): (readonly [at: string, unknown])[] {
  const at = pointerPart(keyword);
  const nesting = NESTINGS.get(keyword);
  if (nesting === "one") return [[at, value]];
  if (nesting === "list" && Array.isArray(value))
    return value.map((item, n) => [at + pointerPart(n), item]);
  if (nesting === "map" && isObject(value))
    return Object.entries(value).map(([name, item]) => [at + pointerPart(name), item]);
  return [];
}

/** Returns the canonical form of a `$ref` to a place in the same schema; undefined for another. */
export function localRef(ref: string): string | undefined {
  try {
    return ref.startsWith("#") ? decodeURIComponent(ref) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a JSON Schema 2020-12. Accepts what the validator can check in bounded time, so `$ref` must
 * stay within the schema and regular expressions must have RE2 syntax.
 * @returns the schema, or what is wrong with it, with places inside the schema
 */
export function readSchema(root: Schema): SoundSchema | readonly JsonFault[] {
  const reader = new Reader();
  reader.read(root, "");
  reader.checkRefs();
  const { faults, byRef, regexes } = reader;
  return faults.length > 0 ? faults : { root, byRef, regexes };
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
    for (const keyword of Object.keys(schema)) this.#readKeyword(schema, keyword, at);
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

  #readKeyword(schema: Readonly<Record<string, unknown>>, keyword: string, parent: string): void {
    const value = schema[keyword];
    const at = parent + pointerPart(keyword);
    const message = this.#faultOf(keyword, value, parent);
    if (message !== undefined) return this.#fault(at, message);
    if (keyword === "$ref") this.#refs.push([at, value as string]);
    if (keyword === "$anchor") this.#anchor(schema, at);
    for (const [place, inner] of subschemas(keyword, value)) this.read(inner, parent + place);
  }

  /** Returns what is wrong with the value of a keyword itself. */
  #faultOf(keyword: string, value: unknown, parent: string): string | undefined {
    if (keyword === "pattern" && typeof value === "string") return this.#regexFault(value);
    if (keyword === "$id" && parent !== "") return "is allowed only at the root of the schema";
    switch (NESTINGS.get(keyword)) {
      case "list":
        return Array.isArray(value) && value.length > 0
          ? undefined
          : "must be a list of at least one schema";
      case "map":
        return this.#mapFault(keyword, value);
      default:
        return CHECKS.get(keyword)?.(value);
    }
  }

  #mapFault(keyword: string, value: unknown): string | undefined {
    if (!isObject(value)) return "must be an object of schemas";
    if (keyword !== "patternProperties") return undefined;
    const patterns = Object.keys(value);
    const wrong = patterns.find((pattern) => this.#regexFault(pattern) !== undefined);
    return wrong === undefined ? undefined : `${this.#regexFault(wrong) ?? ""}: ${wrong}`;
  }

  #regexFault(pattern: string): string | undefined {
    const regex = this.regexes.compile(pattern, false);
    if (regex === "syntax") return "must be a regular expression of RE2 syntax";
    if (regex === "size")
      return `must have smaller regular expressions: together at most ${MAX_REGEX_SIZE} instructions`;
    return undefined;
  }

  #anchor(schema: Readonly<Record<string, unknown>>, at: string): void {
    const ref = `#${String(schema["$anchor"])}`;
    if (this.byRef.has(ref)) this.#fault(at, "must be different from other anchors");
    else this.byRef.set(ref, schema);
  }

  #fault(at: string, message: string): void {
    this.faults.push({ at, message });
  }
}
