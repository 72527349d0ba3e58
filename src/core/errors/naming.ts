/** The most names, or faults, that an error text has. */
export const MAX_NAMED = 20;

/** Returns the names as a text. Names above `MAX_NAMED` are only counted. */
export function listed(names: readonly string[], separator = ", "): string {
  const more = names.length - MAX_NAMED;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `${names.slice(0, MAX_NAMED).join(separator)}${rest}`;
}

/** Returns a message that ends with the names. Names above `MAX_NAMED` are only counted. */
export const naming = (message: string, names: readonly string[]): string =>
  `${message}: ${listed(names)}`;
