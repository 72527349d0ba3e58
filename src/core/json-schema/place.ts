import { pointerPart } from "../lib/json-fault.ts";

/**
 * A place inside a JSON value: a JSON Pointer, or parts after another place. The pointer is built
 * only for a fault, because pointers of all places take much more memory than the value.
 */
export type Place =
  | string
  | { readonly outer: Place; readonly parts: readonly (string | number)[] };

/** Returns a place as a JSON Pointer (RFC 6901). */
export const pointerOf = (place: Place): string =>
  typeof place === "string"
    ? place
    : pointerOf(place.outer) + place.parts.map(pointerPart).join("");
