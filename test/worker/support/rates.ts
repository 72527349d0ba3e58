import { type Answer, type Json } from "./client.ts";

/** A rate limit of so many in the place of a binding; it remembers whom it was asked about. */
export class SmallRate implements RateLimit {
  readonly asked: string[] = [];
  works = true;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async limit({ key }: RateLimitOptions): Promise<RateLimitOutcome> {
    if (!this.works) throw new Error("the counter rests");
    this.asked.push(key);
    return { success: this.asked.filter((one) => one === key).length <= this.#limit };
  }
}

let count = 0;
/** An address that no other test uses. */
export const newAddress = (): string => `198.51.100.${(count += 1)}`;

/** The headers of a request from there. */
export const from = (address: string) => ({ "CF-Connecting-IP": address });

/** Requests one after the other, each with its later work done. */
export async function inTurn(times: number, send: () => Promise<Answer<Json>>) {
  const answers: Answer<Json>[] = [];
  for (let n = 0; n < times; n++) answers.push(await send());
  return answers;
}
