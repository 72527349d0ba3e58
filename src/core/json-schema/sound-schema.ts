import type { Regex } from "@feature-flags/evaluation/regex-pool";
import type { Keywords, Schema } from "./keywords.ts";

/** The schema to which a `$ref` leads. */
export interface Target {
  readonly schema: Schema;
  /** The place of the schema in the root, as a JSON Pointer. */
  readonly at: string;
}

/** A schema whose keywords are supported and well formed. */
export interface SoundSchema {
  readonly root: Schema;
  /** The target of each schema with a `$ref`. */
  readonly targets: ReadonlyMap<Keywords, Target>;
  /** The compiled `pattern` of each schema with one. */
  readonly regexes: ReadonlyMap<Keywords, Regex>;
}

/** Returns the JSON Pointer of a `$ref` into the same schema; undefined for another `$ref`. */
export function pointerOfRef(ref: string): string | undefined {
  try {
    return ref.startsWith("#") ? decodeURIComponent(ref.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
