/** A filter with a few values. */
export interface ListFilter<T> {
  /** The name of the URL search parameter, which the route must parse. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  matches: (item: T, value: string) => boolean;
}

/**
 * Returns the items that match all chosen filters, and the chosen value of each filter. `chosen`:
 * the URL search parameters. A value that is not an option of its filter counts as not chosen.
 */
export function filterItems<T>(
  items: readonly T[],
  filters: readonly ListFilter<T>[],
  chosen: Readonly<Record<string, unknown>>,
): { readonly left: readonly T[]; readonly values: readonly (string | undefined)[] } {
  const values = filters.map(({ name, options }) =>
    options.map(({ value }) => value).find((value) => value === chosen[name]),
  );
  const left = items.filter((item) =>
    filters.every(({ matches }, index) => {
      const value = values[index];
      return value === undefined || matches(item, value);
    }),
  );
  return { left, values };
}
