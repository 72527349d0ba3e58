const collator = new Intl.Collator(undefined, { numeric: true });

/** Compares two names in the order of the browser's language, and numbers in them by their value. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other);

/** Returns items sorted by name (`compareNames`). */
export const sortedByName = <T extends { readonly name: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => compareNames(a.name, b.name));
