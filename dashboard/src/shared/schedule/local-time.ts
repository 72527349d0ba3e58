/**
 * Returns the time (epoch milliseconds) of a date and time of `<input type="datetime-local">` in the time zone of the
 * browser. Undefined if the text is no time, or an hour that does not exist because the clocks are put forward.
 */
export function instantOf(local: string): number | undefined {
  const time = new Date(local).getTime();
  return Number.isNaN(time) || localOf(time) !== local.slice(0, 16) ? undefined : time;
}

/** Formats a time (epoch milliseconds) for an `<input type="datetime-local">`, in the time zone of the browser. */
export function localOf(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** The name of the browser's time zone, such as `Europe/Berlin`. */
export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the offset of the browser's time zone at a time, such as `UTC+1` or `UTC-3:30`. */
export function offsetOf(time: number): string {
  const minutes = -new Date(time).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  if (minutes === 0) return "UTC";
  const sign = minutes < 0 ? "-" : "+";
  return `UTC${sign}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
