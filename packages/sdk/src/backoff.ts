/** The delays before attempts, so that many clients do not attempt something at the same moment. */

/** The longest delay after failures, milliseconds (docs/use/push.md). */
const LONGEST_MS = 30_000;
const FIRST_MS = 1_000;

/**
 * Returns the delay after a number of failures in a row: at most 1 to 30 seconds, of which the
 * second half is random.
 */
export function backoff(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return longest * (0.5 + random() / 2);
}

/** Returns a random interval around `ms` milliseconds: up to a quarter shorter or longer. */
export const spread = (ms: number, random: () => number): number => ms * (0.75 + random() / 2);

/** Returns at least `ms` milliseconds, and up to a fifth more. For delays that the service names. */
export const atLeast = (ms: number, random: () => number): number => ms * (1 + random() / 5);

/**
 * Returns how much is left of a duration of `ms` milliseconds that began at `since`: 0 to `ms`,
 * even if the clock of the machine was set meanwhile.
 */
export const remaining = (ms: number, since: number, now: number): number =>
  ms - Math.min(Math.max(now - since, 0), ms);

/**
 * Whether `since` is less than `ms` milliseconds ago. False if the clock was set back after
 * `since`.
 */
export const isWithin = (ms: number, since: number, now: number): boolean =>
  now >= since && now - since < ms;

/** The longest delay that the client accepts from the service, milliseconds. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Reads a header `Retry-After`, in milliseconds. Undefined when it is missing or malformed. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get("Retry-After");
  if (text === null || text === "") return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/** The shortest and the longest interval of usage reports that the client accepts, milliseconds. */
const REPORT_INTERVALS_MS = { shortest: 10_000, longest: 3_600_000 };

/** Reads a header `X-Report-Interval`, in milliseconds. Undefined when it is missing or malformed. */
export function reportInterval(headers: Headers): number | undefined {
  const text = headers.get("X-Report-Interval");
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const { shortest, longest } = REPORT_INTERVALS_MS;
  return Math.min(Math.max(Number(text) * 1000, shortest), longest);
}
