/**
 * The number of failed attempts after which a webhook delivery is dead (docs/decisions.md, 4.2).
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
