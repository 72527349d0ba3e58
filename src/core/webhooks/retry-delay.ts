/**
 * The number of failed attempts after which a webhook delivery is dead (docs/build/decisions.md,
 * 4.2).
 */
export const MAX_ATTEMPTS = 8;

/**
 * The factor by which the retry delay grows with each attempt. With the default first delay of 30
 * s, the 7 delays add up to about 21 hours.
 */
const BACKOFF_FACTOR = 3.5;

/**
 * The jitter, as a share of the retry delay. Each delay is up to 10 % longer or shorter at random,
 * so that retries do not all come at the same time.
 */
const JITTER = 0.1;

/** The longest delay of a message that Cloudflare Queues accepts, seconds: 24 hours. */
const MAX_DELAY_SECONDS = 86_400;

/** The weekday with which each of the three date formats of RFC 9110, 5.6.7, begins. */
const WEEKDAY = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Returns the whole seconds to wait before the next attempt at a webhook delivery, at most 24
 * hours.
 * @param attempts the attempts made so far, from 1
 * @param baseSeconds the delay before the second attempt, without jitter
 * @param random from 0 to 1, for the jitter
 */
export function retryDelaySeconds(attempts: number, baseSeconds: number, random: number): number {
  const delay = baseSeconds * BACKOFF_FACTOR ** (attempts - 1);
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  return Math.min(Math.round(jittered), MAX_DELAY_SECONDS);
}

/**
 * Returns how long a header `Retry-After` (RFC 9110, 10.2.3) asks to wait, whole seconds, at most 24
 * hours. 0 if the header is missing or malformed, or if its date is past.
 * @param now epoch milliseconds
 */
export function retryAfterSeconds(header: string | null, now: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), MAX_DELAY_SECONDS);
  // All three date formats are in GMT, and only two of them say so.
  const date = WEEKDAY.test(text) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : NaN;
  const seconds = Math.ceil((date - now) / 1000);
  return seconds > 0 ? Math.min(seconds, MAX_DELAY_SECONDS) : 0;
}
