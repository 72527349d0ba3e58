/** Returns the JSON Pointer (RFC 6901) of a place. */
export const pointer = (...names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
