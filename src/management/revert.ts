import type { z } from "@hono/zod-openapi";
import { ApiError, conflict, notFound } from "../core/errors/api-error.ts";
import { changedFields, type Content } from "../core/audit/changed-fields.ts";
import { earlierContent, hasOmittedParts } from "../core/audit/earlier-content.ts";
import { isObject } from "../core/lib/is-object.ts";
import type { SingleChange, Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { AuditRow } from "./audit/queries.ts";
import * as audit from "./audit/queries.ts";
import type { WriteContext } from "./context.ts";
import type { ByIdIfMatch } from "./input.ts";

/**
 * The maximum number of changes that a revert goes back. The audit record of a change can have 32
 * KB, and an isolate has 128 MB of memory.
 */
const MAX_CHANGES = 1000;

/** A request that restores the state of a resource before an audit record. */
export interface Revert extends ByIdIfMatch {
  readonly recordId: number;
  /** Checks the revert, and writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
}

/** The result of a revert, or of its dry run. */
export interface Reverted {
  /** The id of the flag or segment: a new id if the revert has created it again. */
  readonly entityId: number;
  /** The version after the revert, or the current version in a dry run. */
  readonly version: number;
  /** The fields that differ, before the revert. Null if it creates the resource again. */
  readonly before: Content | null;
  /** The same fields after the revert. */
  readonly after: Content;
  /** The id of the new audit record. Null in a dry run, and if nothing differs. */
  readonly recordId: number | null;
  readonly revisions: readonly Revision[];
}

/**
 * Returns the audit record that a request reverts.
 * Throws: 404 if the record does not exist or is not about the resource.
 */
export async function revertedRecord(
  db: ReadDb,
  entityType: "flag" | "segment",
  { id, recordId }: Revert,
): Promise<AuditRow> {
  const record = await audit.findRecord(db, recordId);
  if (record?.entityType !== entityType || record.entityId !== id)
    throw notFound(`The audit record does not exist, or is not about this ${entityType}`);
  return record;
}

/**
 * Returns the content of a resource before an audit record. `now`: its content now, as the audit
 * trail describes it. `schema`: of such a content.
 * Throws: 409 if the audit trail does not have the whole content.
 */
export async function contentBefore<T extends Content>(
  db: ReadDb,
  record: AuditRow,
  { now, schema }: { readonly now: Content; readonly schema: z.ZodType<T> },
): Promise<T> {
  const changes = await audit.changesSince(db, record, MAX_CHANGES + 1);
  if (changes.length > MAX_CHANGES)
    throw conflict(`The record has more than ${MAX_CHANGES} later changes; revert a newer one`);
  return complete(earlierContent(now, changes), schema);
}

/**
 * Returns the content of a deleted resource.
 * Throws: 409 if the audit record does not have the whole content.
 */
export const deletedContent = <T extends Content>(record: AuditRow, schema: z.ZodType<T>): T =>
  complete(isObject(record.before) ? record.before : {}, schema);

function complete<T extends Content>(content: Content, schema: z.ZodType<T>): T {
  const omitted = Object.keys(content).filter((field) => hasOmittedParts(content[field]));
  if (omitted.length > 0)
    throw conflict(
      `The earlier state cannot be restored, because it was too large for the audit trail: ${omitted.join(", ")}`,
    );
  const { data, error } = schema.safeParse(content);
  if (data) return data;
  const fields = new Set(error?.issues.map(({ path }) => path.join(".")));
  throw conflict(
    `The earlier state cannot be restored, because the audit trail has no valid value of it: ${[...fields].join(", ")}`,
  );
}

/** The error for an audit record that has no earlier state, such as the record of a creation. */
export const noEarlierState = (advice: string): ApiError =>
  conflict(`The audit record has no earlier state to restore; ${advice}`);

/** Commits a revert, or checks it in a dry run. Returns the fields that differ. */
export async function commitRevert(
  ctx: WriteContext,
  { recordId, dryRun = false }: Revert,
  change: SingleChange,
): Promise<Pick<Reverted, "before" | "after" | "revisions">> {
  const [entry] = change.audit;
  const revisions = await ctx.commit({
    ...change,
    audit: [{ ...entry, revertsId: recordId }],
    dryRun,
  });
  const { before, after = {} } = entry as { before?: Content; after?: Content };
  if (!before) return { before: null, after, revisions };
  return { ...(changedFields({ before, after }) ?? { before: {}, after: {} }), revisions };
}

/** Returns the result of a revert that was committed, with the id of the new audit record. */
export async function toReverted(
  db: ReadDb,
  { recordId, dryRun = false }: Revert,
  done: Omit<Reverted, "recordId"> & { readonly entityType: string },
): Promise<Reverted> {
  const { entityType, ...reverted } = done;
  const isWritten = !dryRun && Object.keys(done.after).length > 0;
  const { entityId } = done;
  return {
    ...reverted,
    recordId: isWritten
      ? await audit.findRevertingRecord(db, { entityType, entityId, recordId })
      : null,
  };
}

/**
 * Runs a revert. A reference to something that does not exist any more, such as a prerequisite on a
 * deleted flag, becomes a 409 that names the missing value. Without this, the error would name a
 * field that the request does not have.
 */
export async function withNamedConflicts<T>(content: Content, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "VALIDATION_ERROR") throw error;
    const faults = (error.details ?? []).map(({ field, message }) => {
      const value = valueAt(content, field.split("."));
      return `${field}${typeof value === "string" ? ` "${value}"` : ""} ${message}`;
    });
    throw conflict(`The earlier state cannot be restored: ${faults.join("; ")}`);
  }
}

function valueAt(content: unknown, [key, ...path]: readonly string[]): unknown {
  if (key === undefined) return content;
  return typeof content === "object" && content !== null
    ? valueAt((content as Content)[key], path)
    : undefined;
}
