/** The values of a filter: one by itself, so that its URL stays short, or several. */
export type Several<T> = T | readonly T[];

/** The most values of a filter, as in the API. */
const MAX_VALUES = 10;

export const valuesOf = <T>(values: Several<T> | undefined): readonly T[] =>
  values === undefined ? [] : Array.isArray(values) ? values : [values as T];

/** Returns the values as a filter, without doubles and undefined ones. Undefined if none is left. */
export function several<T>(values: readonly (T | undefined)[]): Several<T> | undefined {
  const [first, ...rest] = new Set(values.filter((value) => value !== undefined));
  return rest.length === 0 ? first : [first as T, ...rest].slice(0, MAX_VALUES);
}

export const canAdd = (values: Several<string | number> | undefined): boolean =>
  valuesOf(values).length < MAX_VALUES;

/** Adds a value to one filter, and removes it from the filter of the opposite. */
export function include<T>(
  value: T,
  values: Several<T> | undefined,
  opposite: Several<T> | undefined,
) {
  return [several([...valuesOf(values), value]), exclude(value, opposite)] as const;
}

export const exclude = <T>(value: T, values: Several<T> | undefined): Several<T> | undefined =>
  several(valuesOf(values).filter((one) => one !== value));
