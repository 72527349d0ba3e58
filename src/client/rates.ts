import { networkOf } from "@feature-flags/evaluation/ip";
import { RateLimit } from "../http/rate-limit.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";

/**
 * How many requests one in the bindings stands for: a poll is so cheap that a call for each would
 * be seen. What an isolate has not told of a key is at most nine requests.
 */
export const WEIGHT = 10;

/** How often keys, and the browsers that share a published one, call this isolate. */
export class Rates {
  readonly #keys = new RateLimit("API keys", WEIGHT);
  readonly #browsers = new RateLimit("FRONTEND keys by address", WEIGHT);

  /**
   * One more request with the key. Anybody can read a FRONTEND key in a page: one address that
   * floods with it is refused long before it uses up what the key has. Errors: 429.
   */
  admit(ports: ClientPorts, { id, keyType }: KeyRow, address: () => string | null): void {
    const { key, browser } = ports.rates;
    if (keyType === "FRONTEND")
      this.#browsers.admit(ports, browser, `${id} ${networkOf(address() ?? "")}`);
    this.#keys.admit(ports, key, id);
  }
}
