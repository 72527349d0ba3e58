/** How a value of type T is held in a column of the database. NULL is handled by the caller. */
export interface Stored<T> {
  /** Throws: the stored value is not one that `write` returns; `field` names it in the message. */
  readonly read: (stored: unknown, field: string) => T;
  readonly write: (value: T) => string | number | null;
}

/** A boolean as 0 or 1. */
export const trueOrFalse: Stored<boolean> = {
  read: (stored, field) => valid(field, stored === 0 || stored === 1, stored === 1),
  write: Number,
};

/** A whole number from 0 to `max`. */
export const wholeNumber = (max: number): Stored<number> => ({
  read: (stored, field) => {
    const value = Number(stored);
    return valid(field, Number.isSafeInteger(stored) && value >= 0 && value <= max, value);
  },
  write: (value) => value,
});

export const textOrNull: Stored<string | null> = {
  read: (stored, field) => valid(field, typeof stored === "string", stored as string),
  write: (value) => value,
};

/** A list as a JSON array. Its items are trusted: they were validated when they were written. */
export const jsonList = <T>(): Stored<readonly T[]> => ({
  read: (stored, field) => {
    if (stored === "[]") return [];
    const list: unknown = typeof stored === "string" ? JSON.parse(stored) : undefined;
    return valid(field, Array.isArray(list), list as readonly T[]);
  },
  write: (value) => JSON.stringify(value),
});

function valid<T>(field: string, isValid: boolean, value: T): T {
  if (!isValid) throw new Error(`The stored ${field} of a strategy is not well formed`);
  return value;
}
