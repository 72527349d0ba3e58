/** One day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Whether `time`, ISO 8601, is over. */
export const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
