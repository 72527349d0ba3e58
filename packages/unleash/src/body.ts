import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Form, UnleashFeature } from "./feature.ts";
import { unleashDocument } from "./index.ts";
import type { Note } from "./note.ts";
import { MAX_FLAG_BYTES } from "./size.ts";

/** The most bytes of all features, as JSON. */
const MAX_BYTES = 8_000_000;

/** How many bytes a flag that is off takes besides its key. */
const OFF_BYTES = 120;

const encoder = new TextEncoder();
const textOf = (feature: UnleashFeature): Uint8Array => encoder.encode(JSON.stringify(feature));

/**
 * Makes the features of the document of an environment: returns each as JSON, UTF-8. A flag that is too
 * large is off. If all features together are too large, the largest flags are off.
 */
export function unleashFeatures(rules: readonly ClientRule[], form: Form): readonly Uint8Array[] {
  const { texts, excess } = serialised(unleashDocument(rules, form).features);
  return excess.size > 0 ? unleashDocument(rules, form, excess).features.map(textOf) : texts;
}

/** Returns what the document of an environment does not do exactly, because of its size, too. */
export function unleashNotes(rules: readonly ClientRule[]): readonly Note[] {
  const { features, notes } = unleashDocument(rules, "a");
  const { excess } = serialised(features);
  return excess.size > 0 ? unleashDocument(rules, "a", excess).notes : notes;
}

/**
 * Makes the texts of features one by one, and keeps none of them once they are too large together.
 * `excess`: the flags that must be off, with their bytes.
 */
function serialised(features: readonly UnleashFeature[]): {
  readonly texts: readonly Uint8Array[];
  readonly excess: ReadonlyMap<string, number>;
} {
  const byFlag = new Map<string, number>();
  let total = 0;
  let texts: Uint8Array[] = [];
  for (const feature of features) {
    const text = textOf(feature);
    const [key = ""] = feature.name.split("~");
    byFlag.set(key, (byFlag.get(key) ?? 0) + text.byteLength);
    total += text.byteLength;
    if (total <= MAX_BYTES) texts.push(text);
    else texts = [];
  }
  return { texts, excess: excessOf(byFlag, total) };
}

/** Returns the flags that are too large, with their bytes. `byFlag`: the bytes of all flags. */
function excessOf(byFlag: ReadonlyMap<string, number>, total: number): ReadonlyMap<string, number> {
  const excess = new Map<string, number>();
  if (total <= MAX_BYTES && ![...byFlag.values()].some((bytes) => bytes > MAX_FLAG_BYTES))
    return excess;
  let rest = total;
  for (const [key, bytes] of [...byFlag].toSorted(([, one], [, other]) => other - one)) {
    if (bytes <= MAX_FLAG_BYTES && rest <= MAX_BYTES) break;
    excess.set(key, bytes);
    rest -= Math.max(0, bytes - key.length - OFF_BYTES);
  }
  return excess;
}
