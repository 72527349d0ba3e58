import type { Flag } from "../api/types.ts";

/** A longer value, as JSON, would hide the code around it. */
const MAX_LENGTH = 120;

const NEUTRAL = { boolean: false, string: "", number: 0, json: {} } as const;

/**
 * Returns the default that a code example has for a flag: the value of the off variant, which a client
 * also gets while the flag is off; without one, or if the value is long, a neutral value of the type.
 */
export function fallbackOf({
  valueType,
  variants,
  offVariant,
}: Pick<Flag, "valueType" | "variants" | "offVariant">): unknown {
  const value = variants.find(({ key }) => key === offVariant)?.value;
  const isShort = value !== undefined && JSON.stringify(value).length <= MAX_LENGTH;
  return valueType !== "boolean" && isShort ? value : NEUTRAL[valueType];
}
