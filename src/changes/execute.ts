import type { Call } from "../access/call.ts";
import { inTurns, Turns } from "../core/lib/turns.ts";
import { newRuleId } from "../core/strategies/rule-id.ts";
import type { Change, Revision } from "../db/commit.ts";
import { repeatStale, staleRow } from "../model/optimistic-update.ts";
import { authorizeReads, authorizeWrites } from "./authorize.ts";
import { changedTablesOf } from "./changed-tables.ts";
import { changeOf, duplicate, ruleChangeOf } from "./change.ts";
import { type Bounds, checkPlan } from "./check.ts";
import { type Authority, commitUnderProtection } from "./commit-under-protection.ts";
import { findDuplicates } from "./duplicates.ts";
import type { Operation } from "./plan/operation.ts";
import { type Plan, planInTurns } from "./plan/plan.ts";
import { type ErrorFor, firstError } from "./plan-error.ts";
import { readState } from "./read.ts";
import { startedRamps } from "./started-ramps.ts";

export interface Options {
  /** The project of all targets. Undefined: the project of the only operation. */
  readonly projectId?: number | undefined;
  /** Checks the operations as a commit does, and writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  readonly bounds?: Bounds | undefined;
  /** Default: the error of the first refused operation. */
  readonly errorFor?: ErrorFor | undefined;
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

/** What `execute` has done. */
export interface Executed extends Plan {
  readonly revisions: readonly Revision[];
  /** The id of the newest audit record of the operations. Null if they have changed nothing. */
  readonly recordId: number | null;
}

/**
 * Runs operations: reads what they refer to, plans them, checks the plan, and commits all of them or
 * none. Repeats this if another request has changed a row in between.
 * Throws: 403 if the actor may not do one of them, the error of a refused operation, 402 for a quota,
 * 409 if an environment requires an approval, 400 if it requires a reason, 409 after too many attempts.
 */
export const execute = (
  call: Call,
  operations: readonly Operation[],
  options: Options = {},
): Promise<Executed> => repeatStale(() => attempt(call, operations, options));

/** Does the same as `execute` once. Throws `staleRow` if another request has changed a row. */
export async function attempt(
  call: Call,
  operations: readonly Operation[],
  {
    projectId,
    dryRun = false,
    bounds = {},
    errorFor = firstError,
    extend = (own) => own,
    authority,
  }: Options = {},
): Promise<Executed> {
  // Read.
  const { db, actor } = authorizeReads(call, operations);
  const state = await readState(db, operations, {
    projectId,
    actor,
    maxBytes: bounds.maxReadBytes,
  });
  const allowed = authorizeWrites(call, operations, state);

  // Plan.
  const plan = await planInTurns(state, operations, { now: call.now(), newRuleId });
  if (plan.errors.length > 0) throw errorFor(plan.errors);
  if (!allowed) throw new Error("The plan must have rows of a project");

  // Check.
  const turns = new Turns();
  const changes = await inTurns(changedTablesOf(plan.work), turns);
  await checkPlan(db, plan, changes, bounds);

  // Change.
  const started = dryRun ? [] : await startedRamps(call, db, plan.work.ramps);
  const own = await inTurns(changeOf(plan, changes, started), turns);
  const change = await extend(own, plan);
  if (!change) return { ...plan, revisions: [], recordId: null };

  // Commit.
  try {
    const ruleChange = ruleChangeOf(plan, changes);
    const { revisions, changes: records } = dryRun
      ? await allowed.commit({ ...change, dryRun })
      : await commitUnderProtection(call, allowed, { change, ruleChange, authority });
    return { ...plan, revisions, recordId: records.at(-1)?.change ?? null };
  } catch (error) {
    if (error !== duplicate) throw error;
    const errors = await findDuplicates(db, plan);
    throw errors.length > 0 ? errorFor(errors) : staleRow;
  }
}
