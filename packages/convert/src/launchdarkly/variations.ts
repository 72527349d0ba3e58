import type { FileFlag, FileVariant } from "@feature-flags/file/file";
import { VARIANT_KEY } from "../limits.ts";
import { Refusal } from "../report.ts";
import type { LdFlag, LdVariation } from "./document.ts";

/** The variations of a flag as variants. */
export interface Variants {
  readonly fields: Pick<FileFlag, "valueType" | "variants">;
  readonly isBoolean: boolean;
  /** The key of each variant, in the order of the variations. */
  readonly keys: readonly string[];
}

/** Returns the variants of a flag. Throws: Refusal for values of several types. */
export function variantsOf({ variations }: LdFlag): Variants {
  if (!Array.isArray(variations) || variations.length === 0) throw new Refusal("malformed");
  const types = new Set(variations.map(({ value }) => typeOf(value)));
  const [type = "json"] = types;
  if (types.size > 1) throw new Refusal("valueTypes");
  if (type === "boolean")
    return {
      fields: {},
      isBoolean: true,
      keys: variations.map(({ value }) => (value === true ? "on" : "off")),
    };
  const keys = keysOf(variations);
  const variants = variations.map(({ value, description }, n): FileVariant =>
    Object.assign({ key: keys[n] ?? "", value }, description && { description }),
  );
  return { fields: { valueType: type, variants }, isBoolean: false, keys };
}

function typeOf(value: unknown): "boolean" | "string" | "number" | "json" {
  const type = typeof value;
  return type === "boolean" || type === "string" || type === "number" ? type : "json";
}

/** Returns the names of the variations, else their values, else numbers, whichever are keys. */
function keysOf(variations: readonly LdVariation[]): readonly string[] {
  const numbers = variations.map((_, n) => `variation-${n + 1}`);
  const candidates = [
    variations.map(({ name = "" }) => name),
    variations.map(({ value }) => String(value)),
  ];
  const areKeys = (names: readonly string[]) =>
    names.every((name) => VARIANT_KEY.test(name)) && new Set(names).size === names.length;
  return candidates.find(areKeys) ?? numbers;
}
