/** One day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Whether the time `time`, in ISO 8601, has passed. */
export const isPast = (time: string): boolean => Date.parse(time) <= Date.now();

/** Returns a date such as `2026-01-31` in the browser's time zone. `time`: epoch milliseconds. */
export function dateOf(time: number): string {
  const at = new Date(time);
  const digits = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${digits(at.getMonth() + 1)}-${digits(at.getDate())}`;
}

/**
 * Returns the start of the day that is `later` days after `date`, in the time zone of the browser.
 */
export function startOfDay(date: string, later = 0): Date {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(year, month - 1, day + later);
}

/** Returns the last millisecond of a date, in the time zone of the browser. */
export const endOfDay = (date: string): Date => new Date(startOfDay(date, 1).getTime() - 1);
