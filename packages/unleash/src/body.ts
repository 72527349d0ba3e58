import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Form } from "./feature.ts";
import { unleashDocument } from "./index.ts";
import type { Note } from "./note.ts";

/** The most bytes of a flag with its helpers, and of all features, as JSON. */
const MAX_FLAG_BYTES = 1_000_000;
const MAX_BYTES = 16_000_000;

/** The features of a document as JSON. */
export interface UnleashFeatures {
  /** The array `features` of the document. */
  readonly json: string;
  readonly notes: readonly Note[];
}

const encoder = new TextEncoder();

/**
 * Makes the features of the document of an environment. A flag that is too large is off. If all
 * features together are too large, the largest flags are off.
 */
export function unleashFeatures(rules: readonly ClientRule[], form: Form): UnleashFeatures {
  let made = unleashDocument(rules, form);
  let texts = made.features.map((feature) => JSON.stringify(feature));
  const excess = tooLarge(made.features.map(({ name }, n) => [name, bytesOf(texts[n] ?? "")]));
  if (excess.size > 0) {
    made = unleashDocument(rules, form, excess);
    texts = made.features.map((feature) => JSON.stringify(feature));
  }
  return { json: `[${texts.join(",")}]`, notes: made.notes };
}

const bytesOf = (text: string): number => encoder.encode(text).byteLength;

/** Returns the flags that are too large, with their bytes. `sizes`: the bytes of each feature. */
function tooLarge(
  sizes: readonly (readonly [name: string, bytes: number])[],
): ReadonlyMap<string, number> {
  const byFlag = new Map<string, number>();
  let total = 0;
  for (const [name, bytes] of sizes) {
    const [key = ""] = name.split("~");
    byFlag.set(key, (byFlag.get(key) ?? 0) + bytes);
    total += bytes;
  }
  const excess = new Map<string, number>();
  if (total <= MAX_BYTES && ![...byFlag.values()].some((bytes) => bytes > MAX_FLAG_BYTES))
    return excess;
  for (const [key, bytes] of [...byFlag].toSorted(([, one], [, other]) => other - one)) {
    if (bytes <= MAX_FLAG_BYTES && total <= MAX_BYTES) break;
    excess.set(key, bytes);
    total -= bytes;
  }
  return excess;
}
