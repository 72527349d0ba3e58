/** A fault in a value: something that JSON cannot store, or that other languages cannot read. */
export interface JsonFault {
  /** The place inside the value, as a JSON Pointer (RFC 6901). */
  readonly at: string;
  readonly message: string;
}

/** Returns a key as a part of a JSON Pointer (RFC 6901 section 3). */
export const pointerPart = (key: string | number): string =>
  `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * Returns the first fault of a parsed JSON value: a number that is too large for a double, which
 * `JSON.parse` reads as Infinity, or a text with half a surrogate pair. Undefined for a sound value.
 */
export function jsonFault(value: unknown, at = ""): JsonFault | undefined {
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : { at, message: "must be a finite number" };
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : { at, message: "must be well-formed Unicode" };
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    if (!isList && !key.isWellFormed())
      return { at, message: "must have keys of well-formed Unicode" };
    const fault = jsonFault(part, at + pointerPart(key));
    if (fault) return fault;
  }
  return undefined;
}
