import { inexactNumber } from "@feature-flags/evaluation/json-numbers";
import type { FileFlag, FileVariant } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { VARIANT_KEY } from "../limits.ts";
import { type Changes, Refusal } from "../report.ts";
import type { UnleashFeature, UnleashVariant } from "./document.ts";

/** The types of values by the types of payloads. */
const VALUE_TYPES: Readonly<Record<string, "string" | "number" | "json">> = {
  string: "string",
  csv: "string",
  number: "number",
  json: "json",
};

/**
 * Returns the type and the variants of a flag that has these features in its environments; undefined for
 * a boolean flag. Throws: Refusal for a variant with different payloads, or with a name that is no key.
 */
export function variantsOf(
  features: readonly UnleashFeature[],
  changes: Changes,
): Pick<FileFlag, "valueType" | "variants"> | undefined {
  const byName = new Map<string, UnleashVariant["payload"]>();
  for (const { name, payload } of features.flatMap(allVariants)) {
    if (!VARIANT_KEY.test(name)) throw new Refusal("variantKey", { variant: name });
    if (byName.has(name) && !isSame(byName.get(name), payload))
      throw new Refusal("variantValues", { variant: name });
    byName.set(name, payload);
  }
  if (byName.size === 0) return undefined;
  const payloads = [...byName.values()];
  if (payloads.every((payload) => payload === undefined))
    return {
      valueType: "string",
      variants: Array.from(byName.keys(), (key) => ({ key, value: key })),
    };
  const types = new Set(payloads.map((payload) => VALUE_TYPES[payload?.type ?? ""]));
  const [only] = types;
  const parsed = types.size === 1 && only !== undefined ? parsedAs(only, byName) : undefined;
  if (parsed && only !== undefined) return { valueType: only, variants: parsed };
  changes.add("mixedPayloads");
  return { valueType: "string", variants: parsedAs("string", byName) ?? [] };
}

/** Returns the variants of a feature, and those of its strategies. */
const allVariants = ({ variants, strategies = [] }: UnleashFeature) => [
  ...strategies.flatMap((strategy) => strategy.variants ?? []),
  ...(variants ?? []),
];

/** Returns the variants with values of a type; undefined if a payload has another type. */
function parsedAs(
  type: "string" | "number" | "json",
  byName: ReadonlyMap<string, UnleashVariant["payload"]>,
): FileVariant[] | undefined {
  const variants: FileVariant[] = [];
  for (const [key, payload] of byName) {
    const value = parse(type, payload?.value ?? "");
    if (value === undefined) return undefined;
    variants.push({ key, value });
  }
  return variants;
}

function parse(type: "string" | "number" | "json", text: string): unknown {
  if (type === "string") return text;
  if (inexactNumber(text) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return type === "json" || Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
