import type { KeyType } from "@feature-flags/permissions/permissions";

export interface KnownKey {
  readonly id: number;
  readonly keyType: KeyType;
  readonly environmentId: number;
  readonly projectId: number;
}

/** The edge's copies of API keys: each isolate's memory and the KV store. */
export interface KeyRegistry {
  /** Puts a new key into the KV store, which is used while the database is unavailable. */
  announce(hash: string, key: KnownKey): void;
  /** Removes a deleted key. Resolves once no isolate accepts the key any more. */
  retire(hash: string): Promise<void>;
}
