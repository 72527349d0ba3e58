/** One day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Whether the time `time`, in ISO 8601, has passed. */
export const isPast = (time: string): boolean => Date.parse(time) <= Date.now();
