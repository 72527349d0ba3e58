const collator = new Intl.Collator("und", { numeric: true });

/**
 * Compares two names as the root of Unicode CLDR does, and numbers in them by their value: "Äpfel" is next
 * to "Apfel", and "Flag 10" is after "Flag 9". SQLite knows neither rule.
 */
export const compareNames = (one: string, other: string): number => collator.compare(one, other);

/** Returns rows sorted by name (`compareNames`), and those with equal names by id. */
export const sortedByName = <T extends { readonly id: number; readonly name: string }>(
  rows: readonly T[],
): T[] => rows.toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id);
