/** The lengths of a minute, of an hour and of a day, milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the start of the UTC day of a time; both are epoch milliseconds. */
export const startOfDay = (time: number): number => time - (time % DAY_MS);
