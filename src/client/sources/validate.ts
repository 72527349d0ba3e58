import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import { isEtagOf } from "@feature-flags/client-api/etag";
import type { Snapshot, SnapshotChange } from "../../core/rules/snapshot.ts";
import type { KnownKey } from "../../core/api-keys/known-key.ts";

/** Validates what the database and KV return, so that the client API never serves invalid data. */

type Fields<T> = Partial<Readonly<Record<keyof T, unknown>>>;

/** Returns the value if it is valid. Throws: an error whose message begins with `what`. */
export function validate<T>(what: string, value: T, isValid: boolean): T {
  if (!isValid) throw new Error(`${what} is not valid`);
  return value;
}

export const isText = (value: unknown): value is string => typeof value === "string";
/** Whether the value is a safe integer, 0 or greater. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
/** Whether the value can be an id or a revision: a safe integer, 1 or greater. */
export const isNumber = (value: unknown): value is number => isCount(value) && value !== 0;

export const isKnownKey = (value: Fields<KnownKey>): boolean =>
  isNumber(value.id) &&
  KEY_TYPES.some((type) => type === value.keyType) &&
  isNumber(value.environmentId) &&
  isNumber(value.projectId);

/**
 * Whether the fields of a snapshot are valid. The hash in the ETag must match the body, so a
 * truncated or changed body is not valid.
 */
export const isSnapshot = (value: Fields<Snapshot>): boolean =>
  isNumber(value.environmentId) &&
  isNumber(value.revision) &&
  isCount(value.changedAt) &&
  isText(value.body) &&
  isText(value.etag) &&
  isEtagOf(value.etag, value.revision, value.body) &&
  isText(value.digest) &&
  Array.isArray(value.archivedKeys) &&
  Array.isArray(value.archivedServerKeys) &&
  Array.isArray(value.changes) &&
  value.changes.every(isChange);

const isChange = (change: SnapshotChange | null): boolean =>
  change !== null &&
  isCount(change.revision) &&
  isCount(change.changedAt) &&
  ("span" in change
    ? change.span.length === 2 && change.span.every(isCount)
    : typeof change.tombstone === "object");
