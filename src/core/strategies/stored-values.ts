/**
 * How a value of type T is read from a database column and written to it. The caller handles NULL.
 */
export interface Stored<T> {
  /**
   * Parses a stored value. Throws: when the value has another type or is out of range. `field` is
   * the name of the strategy's field for the message.
   */
  readonly read: (stored: unknown, field: string) => T;
  /** Returns the value as JSON. Null stands for NULL. */
  readonly write: (value: T) => unknown;
  /** Whether the column contains JSON. */
  readonly isJson?: boolean;
}

const malformed = (field: string) =>
  new Error(`The stored ${field} of a strategy is not well formed`);

/** A boolean that is stored as 0 or 1. */
export const trueOrFalse: Stored<boolean> = {
  read: (stored, field) => {
    if (stored !== 0 && stored !== 1) throw malformed(field);
    return stored === 1;
  },
  write: Number,
};

/** Reads a whole number from 0 to `max` from a stored strategy, which has it as a JSON number. */
export const wholeNumber = (max: number): Stored<number> => ({
  read: (stored, field) => {
    if (typeof stored !== "number" || !Number.isSafeInteger(stored)) throw malformed(field);
    if (stored < 0 || stored > max) throw malformed(field);
    return stored;
  },
  write: (value) => value,
});

/** Reads a number with decimals from a database column. */
export function exactNumber(stored: unknown, field: string): number {
  if (typeof stored !== "number" || !Number.isFinite(stored)) throw malformed(field);
  return stored;
}

/** A text or null that is stored unchanged. */
export const textOrNull: Stored<string | null> = {
  read: (stored, field) => {
    if (typeof stored !== "string") throw malformed(field);
    return stored;
  },
  write: (value) => value,
};

/**
 * A list that is stored as a JSON array. `read` does not check the items, because they were
 * validated before they were written.
 */
export const storedList = <T>(): Stored<readonly T[]> => ({
  isJson: true,
  read: (stored, field) => {
    if (stored === "[]") return [];
    if (typeof stored !== "string") throw malformed(field);
    const list: unknown = JSON.parse(stored);
    if (!Array.isArray(list)) throw malformed(field);
    return list;
  },
  write: (value) => value,
});

/** A list whose items are stored in another form, as `storedList` stores them, or as NULL if it is empty. */
export const storedListOrNull = <T, S>(
  readItem: (stored: S) => T,
  writeItem: (item: T) => S,
): Stored<readonly T[]> => ({
  isJson: true,
  read: (stored, field) => storedList<S>().read(stored, field).map(readItem),
  write: (value) => (value.length === 0 ? null : value.map(writeItem)),
});

/**
 * An object or null that is stored as JSON. `read` does not check the object's fields, because they
 * were validated before they were written.
 */
export const jsonObjectOrNull = <T extends object>(): Stored<T | null> => ({
  isJson: true,
  read: (stored, field) => {
    if (typeof stored !== "string") throw malformed(field);
    const value: unknown = JSON.parse(stored);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed(field);
    return value as T;
  },
  write: (value) => value,
});
