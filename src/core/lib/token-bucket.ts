/**
 * A token bucket: permits `perSecond` calls a second on average. After a second without calls, it
 * permits `perSecond` calls at once.
 */
export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  /** When the bucket last counted its tokens, epoch milliseconds. */
  #countedAt = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  /** Takes a token. Returns false when there is none. `now`: epoch milliseconds. */
  take(now: number): boolean {
    const gained = (Math.max(0, now - this.#countedAt) * this.#perSecond) / 1000;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + gained);
    this.#countedAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
