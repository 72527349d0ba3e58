import type { KeyType } from "@feature-flags/permissions/permissions";

export interface KnownKey {
  readonly id: number;
  readonly keyType: KeyType;
  readonly environmentId: number;
  readonly projectId: number;
}

/** What the edge knows of keys beside the database. */
export interface KeyRegistry {
  /** Makes a new key known to the edge's fallback store. */
  announce(hash: string, key: KnownKey): void;
  /** Forgets a deleted key; resolves when no isolate can honour it any longer. */
  retire(hash: string): Promise<void>;
}
