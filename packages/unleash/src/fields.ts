import type { Fault } from "./fault.ts";

/** The context field with which SDKs of Unleash compare the present time. */
export const CURRENT_TIME = "currentTime";

/** The fields of a context of Unleash whose values SDKs do not compare as they are. */
const SPECIAL: ReadonlySet<string> = new Set([CURRENT_TIME, "properties", "prototype"]);

/** The names that have a meaning of their own as the stickiness of a strategy; in PHP in any case. */
const STICKINESS_WORDS: ReadonlySet<string> = new Set(["default", "random"]);

/**
 * What SDKs cannot read in the name of a field, or in the key of a hash. The engine of the SDKs for Java,
 * .NET, Ruby and Python writes both between quotes, and Node hashes only ASCII characters as others do.
 */
const UNREADABLE = /["\\]/;
const HASHABLE = /^[ !#-[\]-~]+$/;

/** Returns the name of a field in Unleash, whose contexts have the targeting key as `userId`. */
export const fieldName = (field: string): string => (field === "targetingKey" ? "userId" : field);

/**
 * Whether all SDKs of Unleash read a field as it is. Node finds the names of `Object.prototype` in every
 * context.
 */
export const isReadable = (field: string): boolean =>
  !SPECIAL.has(field) && !Object.hasOwn(Object.prototype, field) && !UNREADABLE.test(field);

/** Returns the stickiness of a strategy that hashes a field; undefined: the first usual one. */
export function stickinessOf(field: string | undefined): string | Fault {
  if (field === undefined) return "default";
  return isReadable(field) && !STICKINESS_WORDS.has(field.toLowerCase())
    ? fieldName(field)
    : { code: "stickiness", detail: field };
}

/** Returns the group id of a strategy that hashes a key. */
export const groupIdOf = (key: string): string | Fault =>
  HASHABLE.test(key) ? key : { code: "hash-key", detail: key };
