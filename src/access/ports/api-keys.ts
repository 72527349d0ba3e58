import type { KnownKey } from "../../core/api-keys/known-key.ts";

/** The copies of API keys outside the database: in each isolate's memory and in the KV store. */
export interface KeyRegistry {
  /**
   * Puts a new API key into the KV store, without delaying the response. The client API reads keys
   * from KV while the database is unavailable.
   */
  announce(hash: string, key: KnownKey): void;
  /**
   * Deletes an API key from the KV store and from this isolate's memory, and ends its event
   * streams. Waits 2 seconds, because other isolates may use their last check of the key for that
   * long. An isolate with a lagging database replica, or without a database, may accept the key for
   * longer (docs/build/decisions.md, 3.3).
   */
  retire(hash: string, key: Pick<KnownKey, "id" | "environmentId">): Promise<void>;
}
