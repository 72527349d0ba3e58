import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { UnleashFeature } from "./feature.ts";
import type { Note } from "./note.ts";

export type { UnleashFeature } from "./feature.ts";
export type { Code, Level, Note } from "./note.ts";

/** The version of the mapping. It grows with each change that makes another document of the same rules. */
export const MAPPING_VERSION = 1;

/**
 * The form of a document. `a`: for SDKs with `Unleash-Client-Spec` 4.3.0 or newer. `b`: for older SDKs, which know
 * no dependencies and no variants of strategies.
 */
export type Form = "a" | "b";

/** A document for SDKs of Unleash, `{version: 2, features, segments: []}`. */
export interface UnleashDocument {
  /** The flags in the order of the rules, each followed by its helpers `key~off` and `key~rules`. */
  readonly features: readonly UnleashFeature[];
  /** What the document does not do exactly, in the order of the rules. */
  readonly notes: readonly Note[];
}

/** Makes the document of an environment. Flags in `tooLarge`, by key with their bytes, are off. */
export declare function unleashDocument(
  rules: readonly ClientRule[],
  form: Form,
  tooLarge?: ReadonlyMap<string, number>,
): UnleashDocument;
