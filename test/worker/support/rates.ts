import { afterEach, beforeEach, vi } from "vitest";
import type { Answer, Json } from "./client.ts";

export const TOO_MANY = "429 RATE_LIMIT_EXCEEDED";

export const MINUTE_MS = 60_000;

/** The header `Retry-After` of a response, in seconds; 0 without the header. */
export const waitOf = ({ headers }: Answer<Json>) => Number(headers.get("Retry-After"));

/** Stops the clock in the middle of a minute. Then only the test changes the time. */
export function stopAtHalfAMinute() {
  const minute = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  vi.useFakeTimers({ toFake: ["Date"], now: minute + 30_000 });
}

/** Stops the clock of each test in the file, or in the `describe` that calls this. */
export function standAtHalfAMinute() {
  beforeEach(stopAtHalfAMinute);
  afterEach(() => {
    vi.useRealTimers();
  });
}

/**
 * A rate limit binding with a small limit that never resets. `asked` has the key of each call. The
 * Worker rejects a key until its minute ends, so the clock must stand: otherwise a test fails when
 * a minute ends between two requests.
 */
export class SmallRate implements RateLimit {
  readonly asked: string[] = [];
  works = true;
  readonly #limit: number;

  constructor(limit: number) {
    if (!vi.isFakeTimers()) throw new Error("stop the clock first: standAtHalfAMinute()");
    this.#limit = limit;
  }

  async limit({ key }: RateLimitOptions): Promise<RateLimitOutcome> {
    if (!this.works) throw new Error("the counter is unavailable");
    this.asked.push(key);
    return { success: this.asked.filter((one) => one === key).length <= this.#limit };
  }
}

let count = 0;
/** An IPv4 address that no earlier call in this test file returned. */
export const newAddress = (): string => `198.51.100.${(count += 1)}`;

/** The headers of a request that comes from the IP address. */
export const from = (address: string) => ({ "CF-Connecting-IP": address });

/** Sends requests one after the other, and waits for each response. */
export async function sendSequentially(times: number, send: () => Promise<Answer<Json>>) {
  const answers: Answer<Json>[] = [];
  for (let n = 0; n < times; n++) answers.push(await send());
  return answers;
}
