import { ApiError, notFound } from "../../core/errors/api-error.ts";
import type { Change, Revision } from "../../db/commit.ts";
import type { ReadDb } from "../../db/database.ts";
import { findFlags, type FlagWithTags } from "./queries.ts";
import type { RecordedChange } from "./changes.ts";

/** Functions for the bulk changes of flags and of their strategies (docs/decisions.md, 2.22). */

/** A flag in a bulk change. */
export interface BulkTarget {
  readonly id: number;
  /** The version that the flag, or its strategy, must have. Undefined: any. */
  readonly version?: number | undefined;
}

/** What a bulk change did: the ids of the flags, in the order of the request. */
export interface BulkResult {
  readonly changed: readonly number[];
  /** The flags that were already as requested. */
  readonly unchanged: readonly number[];
  readonly revisions: readonly Revision[];
}

/** The greatest number of flags that an error message names. */
const MAX_NAMED = 20;

/** Returns a message that ends with the names. Names above `MAX_NAMED` are only counted. */
export function naming(message: string, names: readonly (string | number)[]): string {
  const more = names.length - MAX_NAMED;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `${message}: ${names.slice(0, MAX_NAMED).join(", ")}${rest}`;
}

/**
 * Returns the flags of a bulk change, in the order of the request.
 * Throws: 404 with the ids of the flags that the project does not have.
 */
export async function flagsOf(
  db: ReadDb,
  projectId: number,
  targets: readonly BulkTarget[],
): Promise<FlagWithTags[]> {
  const ids = targets.map(({ id }) => id);
  const found = new Map((await findFlags(db, projectId, ids)).map((flag) => [flag.id, flag]));
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0)
    throw notFound(naming("The project does not have the flags with these ids", unknown));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Throws: 412 with the keys of the flags whose version is not the one in the request. `rows` are in
 * the order of `targets`.
 */
export function assertVersions(
  targets: readonly BulkTarget[],
  rows: readonly { readonly key: string; readonly version: number }[],
): void {
  const late = rows.filter(({ version }, n) => (targets[n]?.version ?? version) !== version);
  if (late.length === 0) return;
  const message = "These flags have changed since you loaded them; load them again";
  const keys = late.map(({ key }) => key);
  throw new ApiError("CONFLICT", naming(message, keys), { status: 412 });
}

/** Joins the audit entries and webhook events of all flags of a bulk change. */
export const recordedTogether = (
  first: RecordedChange,
  others: readonly RecordedChange[],
): Pick<Change, "audit" | "events"> => ({
  audit: [...first.audit, ...others.flatMap(({ audit }) => audit)],
  events: [...first.events, ...others.flatMap(({ events }) => events)],
});
