import { ApiError, conflict, invalid } from "../core/errors/api-error.ts";
import { listed, MAX_NAMED } from "../core/errors/naming.ts";
import { canonicalJson } from "../core/audit/changed-fields.ts";
import { jsonBytes } from "../core/lib/chunks.ts";
import { sha256 } from "../core/lib/digest.ts";
import { inTurns, Turns } from "../core/lib/turns.ts";
import type { SQL } from "drizzle-orm";
import type { Restricted } from "../core/protection/policy.ts";
import type { Change, Check, Committed, Revision } from "../db/commit.ts";
import type { Call, Writing } from "../access/call.ts";
import { startedRamps } from "./started-ramps.ts";
import { mailBypass } from "../mail/protection-mails.ts";
import { repeatStale, staleRow } from "../model/optimistic-update.ts";
import { changedTablesOf } from "./changed-tables.ts";
import {
  approvalRequired,
  HOW_TO_APPROVE,
  authorizeChange,
  authorizeReads,
  authorizeWrites,
} from "./authorize.ts";
import { changeOf, duplicate, ruleChangeOf, withOverrides } from "./change.ts";
import type { Operation } from "./plan/operation.ts";
import { type Plan, planInTurns, type PlanError } from "./plan/plan.ts";
import { findDuplicates } from "./duplicates.ts";
import { readState } from "./read.ts";
import { assertRegexesFit } from "./regex-limit.ts";
import {
  NO_RESTRICTIONS,
  readRestrictions,
  restrictedAsRead,
  type Restrictions,
  type RuleChange,
} from "./restrictions.ts";

export interface ExecuteOptions {
  /** The project of all targets. Undefined: the project of the only operation. */
  readonly projectId?: number | undefined;
  /** Checks the operations as a commit does, and writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** The id of a plan that somebody has reviewed. */
  readonly expect?: string | undefined;
  /**
   * The greatest size of the records and events of all operations together, bytes of JSON.
   * Undefined: no limit, for operations with different targets of limited size.
   */
  readonly maxRecordBytes?: number | undefined;
  /** Returns the error for refused operations. Default: that of the first. */
  readonly errorFor?: ((errors: readonly PlanError[]) => ApiError) | undefined;
  /** The most bytes that the operations read. Default: that of a request of the API. */
  readonly maxReadBytes?: number | undefined;
  /**
   * Returns the change of the operations together with what else belongs to the same transaction.
   * `own` is undefined if the operations change nothing. Undefined: writes nothing.
   */
  readonly extend?:
    | ((own: Change | undefined, plan: Plan) => Change | undefined | Promise<Change | undefined>)
    | undefined;
  /** What the operations belong to. Undefined: they are a direct change. */
  readonly authority?: Authority | undefined;
}

/** A change request that the operations apply, or a ramp of which they are a step. */
export interface Authority {
  /**
   * Returns the SQL condition that those who may approve in all of these environments have given so
   * many approvals. Undefined: no environment restricts the change.
   */
  readonly isApproved: ((environmentIds: readonly number[], required: number) => SQL) | undefined;
}

/** What `execute` has done. */
export interface Executed extends Plan {
  readonly revisions: readonly Revision[];
  /** The id of the newest audit record of the operations. Null if they have changed nothing. */
  readonly recordId: number | null;
}

/**
 * Runs operations: reads what they refer to, plans them, and commits all of them or none. Repeats
 * this if another request has changed a row in between.
 * Throws: 403 if the actor may not do one of them, the error of a refused operation, 402 for a quota,
 * 409 if an environment requires an approval, 400 if it requires a reason,
 * 412 if the plan is not the expected one, 409 after too many attempts.
 */
export const execute = (
  call: Call,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<Executed> => repeatStale(() => attempt(call, operations, options));

/** Does the same as `execute` once. Throws `staleRow` if another request has changed a row. */
export async function attempt(
  call: Call,
  operations: readonly Operation[],
  {
    projectId,
    dryRun = false,
    expect,
    maxRecordBytes,
    errorFor = firstError,
    maxReadBytes,
    extend = (own) => own,
    authority,
  }: ExecuteOptions = {},
): Promise<Executed> {
  const { db, actor } = authorizeReads(call, operations);
  const state = await readState(db, operations, { projectId, actor, maxBytes: maxReadBytes });
  const allowed = authorizeWrites(call, operations, state);
  const planned = await planInTurns(state, operations, { now: call.now(), newRuleId });
  if (planned.errors.length > 0) throw errorFor(planned.errors);
  if (!allowed) throw new Error("The plan must have rows of a project");
  const { commit } = allowed;
  if (expect !== undefined && expect !== (await planId(planned)))
    throw new ApiError("CONFLICT", "The plan is not the expected one; make it again", {
      status: 412,
    });
  if (maxRecordBytes !== undefined) assertRecordsFit(planned, maxRecordBytes);
  const turns = new Turns();
  const changes = await inTurns(changedTablesOf(planned.work), turns);
  await assertRegexesFit(db, changes);
  const started = dryRun ? [] : await startedRamps(call, db, planned.work.ramps);
  const own = await inTurns(changeOf(planned, changes, started), turns);
  const change = await extend(own, planned);
  if (!change) return { ...planned, revisions: [], recordId: null };
  try {
    const { revisions, changes: records } = dryRun
      ? await commit({ ...change, dryRun })
      : await commitAllowed(
          call,
          { db, commit },
          {
            change,
            ruleChange: ruleChangeOf(planned, changes),
            authority,
          },
        );
    return { ...planned, revisions, recordId: records.at(-1)?.change ?? null };
  } catch (error) {
    if (error !== duplicate) throw error;
    const errors = await findDuplicates(db, planned);
    throw errors.length > 0 ? errorFor(errors) : staleRow;
  }
}

/** A change to commit, what it does to verdicts, and what it belongs to. */
interface Commitment {
  readonly change: Change;
  readonly ruleChange: RuleChange | undefined;
  readonly authority: Authority | undefined;
}

/** The error of a change that environments restrict, before it is known which. */
const restricted = conflict("Environments restrict the change");

/**
 * Commits a change if no environment restricts it, or if the actor may make it nevertheless. Most
 * projects restrict nothing, so the restrictions are read only after a guard has found some. A guard
 * compares them again, so those at the time of the commit count. Throws: as `authorizeChange`.
 */
async function commitAllowed(
  call: Call,
  { db, commit }: Pick<Writing, "db" | "commit">,
  { change, ruleChange, authority }: Commitment,
): Promise<Committed> {
  if (!ruleChange || (authority && !authority.isApproved)) return commit(change);
  const { actor } = call;
  const commitIf = (found: Restrictions, allowed: Change, error: ApiError, approval?: Check) => {
    const guard = restrictedAsRead(actor, ruleChange, found, error);
    const more = approval ? [guard, approval] : [guard];
    return commit({ ...allowed, guards: [...(allowed.guards ?? []), ...more] });
  };
  try {
    return await commitIf(NO_RESTRICTIONS, change, restricted);
  } catch (error) {
    if (error !== restricted) throw error;
  }
  const found = await readRestrictions(db, actor, ruleChange);
  const allowed = authorizeChange(call, found.environments, { isCovered: authority !== undefined });
  const { overrideIn, bypassed } = allowed;
  const approval = authority && approvalOf(authority, allowed.needing);
  const committed = await commitIf(found, withOverrides(change, overrideIn), staleRow, approval);
  mailBypass(call, db, bypassed);
  return committed;
}

/** Returns the check that a change has the approvals of the environments that need them. */
function approvalOf({ isApproved }: Authority, needing: readonly Restricted[]): Check | undefined {
  if (needing.length === 0 || !isApproved) return undefined;
  const ids = needing.map(({ environmentId }) => environmentId);
  const required = Math.max(...needing.map(({ requiredApprovals }) => requiredApprovals));
  return { holds: isApproved(ids, required), error: approvalRequired(needing, HOW_TO_APPROVE) };
}

/** Throws: 400 if the records and events of the operations are too large together. */
function assertRecordsFit({ work: { records } }: Plan, maxBytes: number): void {
  let bytes = 0;
  for (const { audit, event } of records) {
    bytes += jsonBytes([audit.map(({ before, after }) => [before, after]), event?.data]);
    if (bytes > maxBytes)
      throw new ApiError(
        "BAD_REQUEST",
        `The operations change more than ${maxBytes} bytes of JSON; send them in several requests`,
      );
  }
}

/** Returns the error of the first refused operation. */
function firstError(errors: readonly PlanError[]): ApiError {
  const [first] = errors;
  if (!first) throw new Error("There must be an error");
  return first.error;
}

/**
 * Returns the error for a list of operations. It has the code and the status of the first refused
 * operation, and names all operations with the same: in `details` for invalid fields, else in the
 * message.
 */
export function listError(errors: readonly PlanError[]): ApiError {
  const { code, status, headers } = firstError(errors);
  const alike = errors.filter(({ error }) => error.code === code && error.status === status);
  if (code !== "VALIDATION_ERROR") {
    const named = alike.map(({ operation, error }) => `operations.${operation}: ${error.message}`);
    return new ApiError(code, listed(named, "; "), { status, headers });
  }
  const details = alike.flatMap(({ operation, error: { details: fields = [] } }) =>
    fields.map((one) => ({ ...one, field: `operations.${operation}.input.${one.field}` })),
  );
  return invalid(details.slice(0, MAX_NAMED), details.length);
}

/**
 * Returns the id of a plan: the SHA-256 of the operations, and of the versions of the rows that they
 * read, which together determine what the plan writes.
 */
export function planId({ operations, work: { initial } }: Plan): Promise<string> {
  const { flags, strategies, segments, tags, contexts } = initial;
  const flagsOfStrategies = new Map(
    [...strategies.values()].map(({ flagId, flag }) => [flagId, flag]),
  );
  const rows = [flags, flagsOfStrategies, strategies, segments, tags, contexts];
  return sha256(canonicalJson([operations, ...rows.map(versionsOf)]));
}

/** Returns the version of each row, by its key. `canonicalJson` sorts the keys. */
const versionsOf = (rows: ReadonlyMap<number | string, { readonly version: number }>) =>
  Object.fromEntries(Array.from(rows, ([key, { version }]) => [key, version]));

/** Returns a random id of 10 lower-case letters and digits. */
export const newRuleId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => (byte % 36).toString(36)).join(
    "",
  );
