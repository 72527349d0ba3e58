import { KEY_TYPES } from "@feature-flags/permissions/permissions";
import { etagOf, type Snapshot, type SnapshotChange } from "../core/rules/snapshot.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";

/** What the database and the store answer is looked at where it enters: nothing is served that is wrong. */

type Fields<T> = Partial<Readonly<Record<keyof T, unknown>>>;

/** The value, if it is well formed. Errors: it is not; `what` says what it was. */
export function wellFormed<T>(what: string, value: T, isSo: boolean): T {
  if (!isSo) throw new Error(`${what} is not well formed`);
  return value;
}

export const isText = (value: unknown): value is string => typeof value === "string";
export const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
/** Of a row, and of a revision: the first is 1. */
export const isNumber = (value: unknown) => isCount(value) && value !== 0;

export const isKnownKey = (value: Fields<KnownKey>): boolean =>
  isNumber(value.id) &&
  KEY_TYPES.some((type) => type === value.keyType) &&
  isNumber(value.environmentId) &&
  isNumber(value.projectId);

/** The entity tag has a hash of the body: no half of it, and nothing else, passes for it. */
export const isSnapshot = (value: Fields<Snapshot>): boolean =>
  isNumber(value.environmentId) &&
  isNumber(value.revision) &&
  isCount(value.changedAt) &&
  isText(value.body) &&
  value.etag === etagOf(Number(value.revision), value.body) &&
  Array.isArray(value.changes) &&
  value.changes.every(isChange);

const isChange = (change: SnapshotChange | null): boolean =>
  change !== null &&
  isCount(change.revision) &&
  isCount(change.changedAt) &&
  ("span" in change
    ? change.span.length === 2 && change.span.every(isCount)
    : typeof change.tombstone === "object");
