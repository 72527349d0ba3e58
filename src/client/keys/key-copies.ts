import { withRetries } from "../../core/lib/kv-retries.ts";
import type { KnownKey } from "../../core/api-keys/known-key.ts";
import { type CircuitBreaker, CircuitOpenError } from "../sources/circuit-breaker.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { findKey } from "../sources/queries.ts";

/**
 * After this time an isolate writes the copy of an API key to KV again, milliseconds. KV deletes a
 * copy that is not written for 7 days (platform/bindings/edge-store.ts).
 */
export const REWRITE_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * How long after the creation of an API key another request may write the missing copy to KV,
 * milliseconds. Before that, the request that created the key writes the copy, and a location may
 * have cached for 30 s that KV lacks the key.
 */
export const COPIED_AFTER_MS = 45_000;

/** The least time between two writes of missing copies by one isolate, milliseconds. */
export const REPAIR_EVERY_MS = 1_000;

/**
 * How long an isolate waits between two writes to one KV key, milliseconds. KV accepts one write a
 * second to a key.
 */
const KV_WRITE_INTERVAL_MS = 1_100;

/** What KV returned for the hash of an API key. */
export interface Copy {
  /** undefined: KV has no copy, or failed. */
  readonly key: KnownKey | undefined;
  /** Whether the copy is missing or old. False when KV failed. */
  readonly isDue: boolean;
}

/**
 * The copies of API keys in KV. While the database is unavailable, an isolate that does not know a
 * key checks the copy. So an isolate that finds a copy missing or old writes it.
 */
export class KeyCopies {
  readonly #store: CircuitBreaker;
  /** Until when the isolate writes no copy, epoch milliseconds. */
  #pauseUntil = 0;

  constructor(store: CircuitBreaker) {
    this.#store = store;
  }

  /** Reads the copy of an API key. A failure of KV counts as a fault. */
  async read(ports: ClientPorts, hash: string): Promise<Copy> {
    try {
      const key = await this.#store.call(ports, () => ports.store.key(hash));
      return { key, isDue: ports.now() - (key?.writtenAt ?? 0) >= REWRITE_AFTER_MS };
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) ports.fault("key store", error);
      return { key: undefined, isDue: false };
    }
  }

  /**
   * Writes the copy of an API key after the response, if the copy is missing or old. Call this when
   * the database has the key. `createdAt`: when the key was created, epoch milliseconds.
   */
  repair(ports: ClientPorts, hash: string, key: KnownKey, createdAt: number): void {
    const now = ports.now();
    if (now - createdAt < COPIED_AFTER_MS || now < this.#pauseUntil) return;
    this.#pauseUntil = now + REPAIR_EVERY_MS;
    ports.later(writeCopy(ports, hash, key));
  }
}

/**
 * Writes the copy of an API key to KV, and deletes the copy if the key was deleted meanwhile. The
 * deletion of the key also deletes the copy, but possibly before this write. The check and the
 * deletion of the copy are tried up to three times, so that one failure does not leave the copy of a
 * deleted key. Throws: KV's errors and the database's errors.
 */
async function writeCopy(ports: ClientPorts, hash: string, key: KnownKey): Promise<void> {
  await ports.store.putKey(hash, key);
  await ports.wait(KV_WRITE_INTERVAL_MS);
  await withRetries("key store", ports, async () => {
    const found = await findKey(ports.openSession("first-primary"), hash);
    if (!found.key) await ports.store.deleteKey(hash);
  });
}
