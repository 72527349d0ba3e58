/** Returns the JSON Pointer (RFC 6901) of a place. */
export const pointer = (...names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Whether a place is the place of a JSON Pointer, or below it. The empty pointer is the root. */
export const isWithin = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}/`);
