import type { KeyType } from "@feature-flags/permissions/permissions";

/** An API key that the service has checked: what it may do, and where. */
export interface KnownKey {
  readonly id: number;
  readonly keyType: KeyType;
  readonly environmentId: number;
  readonly projectId: number;
}
