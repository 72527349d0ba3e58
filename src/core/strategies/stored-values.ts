/** How a value of type T is held in a column of the database. NULL is handled by the caller. */
export interface Stored<T> {
  /** Throws: the stored value is not one that `write` returns; `field` names it in the message. */
  readonly read: (stored: unknown, field: string) => T;
  readonly write: (value: T) => string | number | null;
}

const malformed = (field: string) =>
  new Error(`The stored ${field} of a strategy is not well formed`);

/** A boolean as 0 or 1. */
export const trueOrFalse: Stored<boolean> = {
  read: (stored, field) => {
    if (stored !== 0 && stored !== 1) throw malformed(field);
    return stored === 1;
  },
  write: Number,
};

/** A whole number from 0 to `max`. */
export const wholeNumber = (max: number): Stored<number> => ({
  read: (stored, field) => {
    if (typeof stored !== "number" || !Number.isSafeInteger(stored)) throw malformed(field);
    if (stored < 0 || stored > max) throw malformed(field);
    return stored;
  },
  write: (value) => value,
});

export const textOrNull: Stored<string | null> = {
  read: (stored, field) => {
    if (typeof stored !== "string") throw malformed(field);
    return stored;
  },
  write: (value) => value,
};

/** A list as a JSON array. Its items are trusted: they were validated when they were written. */
export const jsonList = <T>(): Stored<readonly T[]> => ({
  read: (stored, field) => {
    if (stored === "[]") return [];
    if (typeof stored !== "string") throw malformed(field);
    const list: unknown = JSON.parse(stored);
    if (!Array.isArray(list)) throw malformed(field);
    return list;
  },
  write: (value) => JSON.stringify(value),
});
