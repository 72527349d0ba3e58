import type { KeyType } from "@feature-flags/permissions/permissions";

export interface KnownKey {
  readonly id: number;
  readonly keyType: KeyType;
  readonly environmentId: number;
  readonly projectId: number;
}

/** The copies of API keys outside the database: in each isolate's memory and in the KV store. */
export interface KeyRegistry {
  /** Puts a new key into the KV store, which is used while the database is unavailable. */
  announce(hash: string, key: KnownKey): void;
  /**
   * Removes a deleted key from all copies. The promise resolves once no isolate accepts the key any
   * more.
   */
  retire(hash: string): Promise<void>;
}
