import { ApiError, conflict, notFound } from "../core/errors/api-error.ts";
import { naming } from "../core/errors/naming.ts";
import type { Revision } from "../db/commit.ts";
import type { Call } from "../access/call.ts";
import { MAX_TAGS } from "../model/flags/attached-tags.ts";
import { staleRow } from "../model/optimistic-update.ts";
import { attempt, execute, type Executed } from "./execute.ts";
import type { Operation } from "./plan/operation.ts";
import type { PlanError } from "./plan/plan.ts";
import type { Fault } from "./plan/state.ts";

/** Bulk changes: the same operation for many flags (docs/build/decisions.md, 2.22). */

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

/** Returns the operation for a flag. `executeBulk` adds the version that it demands. */
type OperationFor<Target> = (flagId: number, target: Target) => Operation;

/** A bulk change as operations: one for each flag, in the order of the request. */
export interface BulkOperations {
  readonly projectId: number;
  readonly targets: readonly BulkTarget[];
  readonly operations: readonly Operation[];
}

/** Returns a bulk change as operations, each with the version that its target demands. */
export const bulkOperations = <Target extends BulkTarget>(
  projectId: number,
  targets: readonly Target[],
  operationFor: OperationFor<Target>,
): BulkOperations => ({
  projectId,
  targets,
  operations: targets.map((target) => ({
    ...operationFor(target.id, target),
    ifMatch: target.version === undefined ? undefined : [target.version],
  })),
});

/**
 * Runs one operation for each flag of a project, in one transaction. The number of SQL statements does not
 * depend on the number of flags. Throws: as `execute`; an error names all flags to which it applies.
 */
export async function executeBulk(call: Call, change: BulkOperations): Promise<BulkResult> {
  const { projectId, operations } = change;
  return resultOf(change, await execute(call, operations, { projectId, errorFor: bulkError }));
}

/**
 * Does the same as `executeBulk` once, for operations that were computed from the versions of the
 * targets. Throws `staleRow` if one has changed since.
 */
export async function executeRead(call: Call, change: BulkOperations): Promise<BulkResult> {
  const { projectId, operations } = change;
  const done = await attempt(call, operations, {
    projectId,
    errorFor: (errors) =>
      errors.some(({ fault }) => fault === "version") ? staleRow : bulkError(errors),
  });
  return resultOf(change, done);
}

function resultOf({ targets }: BulkOperations, { work, revisions }: Executed): BulkResult {
  const isChanged = new Set(work.records.map(({ operation }) => operation));
  const ids = (wanted: boolean) =>
    targets.flatMap(({ id }, n) => (isChanged.has(n) === wanted ? [id] : []));
  return { changed: ids(true), unchanged: ids(false), revisions };
}

const changed = (message: string) => new ApiError("CONFLICT", message, { status: 412 });

interface BulkError {
  readonly fault: Fault;
  readonly message: string;
  readonly toError: (message: string) => ApiError;
  /** Whether the names are sorted. Default: in the order of the request. */
  readonly isSorted?: boolean;
}

/** The error of each fault, for the flags to which it applies. The first fault in the list counts. */
const ERRORS: readonly BulkError[] = [
  {
    fault: "unknown-flag",
    message: "The project does not have the flags with these ids",
    toError: notFound,
  },
  {
    fault: "version",
    message: "These flags have changed since you loaded them; load them again",
    toError: changed,
  },
  {
    fault: "archived",
    message: "Archived flags cannot be switched on; unarchive them, or leave them out",
    toError: conflict,
  },
  {
    fault: "required",
    message: "These flags cannot be archived, because others require them",
    toError: conflict,
    isSorted: true,
  },
  {
    fault: "requires-archived",
    message: "These flags cannot be unarchived, because they require archived flags",
    toError: conflict,
    isSorted: true,
  },
  {
    fault: "too-many-tags",
    message: `A flag can have at most ${MAX_TAGS} tags, which these flags already have`,
    toError: conflict,
  },
];

/** Throws one error that names all flags with the same fault, if there is a fault. */
export function assertNoFaults(faults: readonly Pick<PlanError, "fault" | "subject">[]): void {
  const error = errorOf(faults);
  if (error) throw error;
}

/** Returns the error of refused operations of a bulk change, which names the flags. */
export function bulkError(errors: readonly PlanError[]): ApiError {
  const error = errorOf(errors) ?? errors[0]?.error;
  if (!error) throw new Error("There must be an error");
  return error;
}

function errorOf(faults: readonly Pick<PlanError, "fault" | "subject">[]): ApiError | undefined {
  for (const { fault, message, toError, isSorted = false } of ERRORS) {
    const subjects = faults.flatMap((one) => (one.fault === fault ? one.subject : []));
    if (subjects.length > 0)
      return toError(naming(message, isSorted ? subjects.toSorted() : subjects));
  }
  return undefined;
}
