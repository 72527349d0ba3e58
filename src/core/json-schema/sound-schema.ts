import type { RegexPool } from "@feature-flags/evaluation/regex-pool";
import type { Schema } from "./keywords.ts";

/** A schema whose keywords are supported and well formed. */
export interface SoundSchema {
  readonly root: Schema;
  /**
   * The schema itself and all schemas inside it, by the `$ref` that names them: `#`,
   * `#/$defs/size`.
   */
  readonly byRef: ReadonlyMap<string, Schema>;
  /** The compiled regular expressions. */
  readonly regexes: RegexPool;
}

/**
 * Returns the canonical form of a `$ref` to a place in the same schema; undefined for a `$ref` to
 * another schema.
 */
export function localRef(ref: string): string | undefined {
  try {
    return ref.startsWith("#") ? decodeURIComponent(ref) : undefined;
  } catch {
    return undefined;
  }
}
