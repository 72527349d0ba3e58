/** A flag that is not archived, as the manifest needs it. */
export interface ManifestSource {
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly valueType: "boolean" | "string" | "number" | "json";
  readonly variants: readonly { readonly key: string; readonly value: unknown }[];
  readonly offVariant: string | null;
}

/** The most characters of a description in the manifest, so that 5,000 flags stay below 32 MB. */
export const MAX_DESCRIPTION = 500;

/** Returns the part of a description that the manifest has. */
export const shortDescription = (text: string | null): string | null =>
  text === null ? null : Array.from(text).slice(0, MAX_DESCRIPTION).join("");

/** A flag in the manifest. */
export interface ManifestFlag {
  readonly key: string;
  readonly name: string;
  readonly type: "boolean" | "string" | "integer" | "float" | "object";
  readonly description?: string;
  /** The value that the generated code uses when an evaluation fails. */
  readonly defaultValue: unknown;
}

/**
 * Returns a flag as the manifest describes it.
 *
 * The default value is the value of the off variant. The manifest requires a default value, so a flag
 * without an off variant has `false` if it is boolean, and otherwise the value of its first variant,
 * which has the form that the code expects.
 */
export function manifestFlag(flag: ManifestSource): ManifestFlag {
  const { key, name, description, valueType, variants, offVariant } = flag;
  const fallback = valueType === "boolean" ? undefined : variants[0];
  const off = variants.find((variant) => variant.key === offVariant);
  return {
    key,
    name,
    type: typeOf(flag),
    ...(description !== null && { description }),
    defaultValue: (off ?? fallback)?.value ?? false,
  };
}

/**
 * Returns the type of a flag's values in the manifest. A number flag is an `integer` if all of its
 * values are integers that every language can represent. Otherwise it is a `float`, which the
 * OpenFeature CLI reads, although the published description of the API does not list it.
 */
function typeOf({ valueType, variants }: ManifestSource): ManifestFlag["type"] {
  if (valueType === "json") return "object";
  if (valueType !== "number") return valueType;
  return variants.every(({ value }) => Number.isSafeInteger(value)) ? "integer" : "float";
}
