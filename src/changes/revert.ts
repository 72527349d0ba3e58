import type { z } from "@hono/zod-openapi";
import { ApiError, conflict, notFound, preconditionFailed } from "../core/errors/api-error.ts";
import { changedFields, type Content } from "../core/audit/changed-fields.ts";
import { earlierContent, hasOmittedParts, wholeContent } from "../core/audit/earlier-content.ts";
import type { Revision } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import { type AuditRow, changesSince, findRecord } from "../model/audit/queries.ts";
import type { Call, Reading } from "../access/call.ts";
import type { ByIdIfMatch } from "../core/lib/input.ts";
import { attempt, type Executed } from "./execute.ts";
import type { Operation } from "./plan/operation.ts";
import { repeatStale, staleRow } from "../model/optimistic-update.ts";
import { inScope } from "../access/scope.ts";

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
  /**
   * The version after the revert, or the current version in a dry run. Null: a dry run that would create
   * the resource again.
   */
  readonly version: number | null;
  /** The fields that differ, before the revert. Null if it creates the resource again. */
  readonly before: Content | null;
  /** The same fields after the revert. */
  readonly after: Content;
  /** The id of the new audit record. Null in a dry run, and if nothing differs. */
  readonly recordId: number | null;
  readonly revisions: readonly Revision[];
}

/**
 * Returns the audit record that a request reverts. Throws: 404 if the record does not exist or is not about
 * the resource, 403 without the permission in its project, and for an API key of another project.
 */
export async function revertedRecord(
  ctx: Reading,
  entityType: "flag" | "segment",
  { id, recordId }: Revert,
): Promise<AuditRow & { readonly projectId: number }> {
  const missing = notFound(`The audit record does not exist, or is not about this ${entityType}`);
  const record = await findRecord(ctx.db, recordId);
  if (record?.entityType !== entityType || record.entityId !== id) throw missing;
  const { projectId } = record;
  if (projectId === null) throw missing;
  return inScope(ctx, { ...record, projectId }, missing);
}

/**
 * Returns the content of a resource before an audit record. `now`: its content now, as the audit trail
 * describes it. `schema`: of such a content. Throws: 409 if the audit trail does not have the whole content.
 */
export async function contentBefore<T extends Content>(
  db: ReadDb,
  record: AuditRow,
  { now, schema }: { readonly now: Content; readonly schema: z.ZodType<T> },
): Promise<T> {
  const changes = await changesSince(db, record, MAX_CHANGES + 1);
  if (changes.length > MAX_CHANGES)
    throw conflict(`The record has more than ${MAX_CHANGES} later changes; revert a newer one`);
  return complete(earlierContent(now, changes), schema);
}

/**
 * Returns the content of a deleted resource. Throws: 409 if the audit record does not have the whole content.
 */
export const deletedContent = <T extends Content>(record: AuditRow, schema: z.ZodType<T>): T =>
  complete(wholeContent(record.before), schema);

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

/** An operation that restores a resource, and the version that it was computed from. */
interface Restoring {
  readonly operation: Operation;
  /** The version of the resource now. Null: the revert creates it again. */
  readonly version: number | null;
}

/** How a revert restores a resource. */
export interface Reversal {
  /** Reads the resource, and returns the operation that restores it. */
  readonly restore: () => Promise<Restoring>;
  /** Returns the resource after the operation. */
  readonly rowOf: (
    work: Executed["work"],
  ) => { readonly id?: number; readonly version: number } | undefined;
}

/**
 * Returns the operation of a revert, for a change request. Throws: 412 if `ifMatch` does not contain
 * the version of the resource, 400 if the revert creates the resource again.
 */
export async function restoringOperation(
  { ifMatch }: Revert,
  { restore }: Reversal,
): Promise<Operation> {
  const { operation, version } = await restore();
  if (version === null)
    throw new ApiError(
      "BAD_REQUEST",
      "A change request cannot create a deleted resource again; leave out propose, because that needs no approval",
    );
  if (ifMatch && !ifMatch.includes(version)) throw preconditionFailed();
  return { ...operation, ifMatch: [version] };
}

/**
 * Runs the operation of a revert, or plans it in a dry run. Reads the resource again if it changes in
 * between.
 * Throws: 412 if `ifMatch` does not contain the version of the resource, and the errors of `execute`.
 */
export const runRevert = (
  call: Call,
  { ifMatch, recordId, dryRun = false, id }: Revert,
  { restore, rowOf }: Reversal,
): Promise<Reverted> =>
  repeatStale(async () => {
    const { operation, version } = await restore();
    if (version !== null && ifMatch && !ifMatch.includes(version)) throw preconditionFailed();
    const base = version === null ? undefined : [version];
    const run = attempt(call, [{ ...operation, ifMatch: base, revertsId: recordId }], {
      dryRun,
      // The resource has changed since `restore` has read it.
      errorFor: ([first]) => (first?.fault === "version" ? staleRow : (first?.error ?? staleRow)),
    });
    const { work, revisions, recordId: written } = await run;
    const [entry] = work.records.flatMap(({ audit }) => audit);
    const { before, after = {} } = (entry ?? { before: {} }) as {
      before?: Content;
      after?: Content;
    };
    const row = dryRun ? undefined : rowOf(work);
    return {
      entityId: row?.id ?? id,
      version: row?.version ?? version,
      ...(before
        ? (changedFields({ before, after }) ?? { before: {}, after: {} })
        : { before: null, after }),
      recordId: dryRun ? null : written,
      revisions,
    };
  });

/**
 * Runs a revert to a content. A reference to something that does not exist any more, such as a prerequisite on a
 * deleted flag, becomes a 409 that names the missing value. Without this, the error would name a
 * field that the request does not have.
 */
export async function withNamedConflicts<T>(
  content: () => Content,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "VALIDATION_ERROR") throw error;
    const faults = (error.details ?? []).map(({ field, message }) => {
      const value = valueAt(content(), field.split("."));
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
