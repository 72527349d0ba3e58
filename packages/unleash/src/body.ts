import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Form } from "./index.ts";
import type { Note } from "./note.ts";

/** The features of a document as text. */
export interface UnleashFeatures {
  /** The JSON array of the features: `features` of the document. */
  readonly json: string;
  readonly notes: readonly Note[];
}

/**
 * Makes the features of the document of an environment. A flag above 1 MB is off. If all features
 * have more than 16 MB, the largest flags are off.
 */
export declare function unleashFeatures(rules: readonly ClientRule[], form: Form): UnleashFeatures;
