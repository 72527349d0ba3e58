import type { Schedule } from "../../core/change-requests/schedule.ts";
import { withoutPauses } from "@feature-flags/evaluation/pausing";
import { ApiError, invalid, notFound } from "../../core/errors/api-error.ts";
import { jsonBytes } from "../../core/lib/chunks.ts";
import type { ReadDb } from "../../db/database.ts";
import type { RuleChange } from "../../core/protection/rule-change.ts";
import type { Call } from "../../access/call.ts";
import { changedTablesOf } from "../../changes/changed-tables.ts";
import { ruleChangeOf } from "../../changes/change.ts";
import { bulkError } from "../../changes/bulk.ts";
import { attempt } from "../../changes/execute.ts";
import { listError } from "../../changes/plan-error.ts";
import { newRuleId } from "../../core/strategies/rule-id.ts";
import type { FlagRef, Operation } from "../../changes/plan/operation.ts";
import type { Plan, PlanError } from "../../changes/plan/plan.ts";
import { projectOf } from "../../changes/plan/state.ts";
import type { Work } from "../../changes/plan/work.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import { repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { basisDigest, targetContent, hashOf, readCurrent, rowOf } from "./targets.ts";
import { REQUEST_KINDS, type RequestKind } from "../../core/change-requests/kinds.ts";
import type { RequestOperation, Target } from "../../model/change-requests/operations.ts";
import { strategyChange } from "./rebase-fields.ts";
import { withResult, type Earlier, earlierOf, notDependable, planAfter } from "./dependencies.ts";

/** The greatest size of the operations of a request with their contents, bytes of JSON. */
const MAX_BYTES = 2_000_000;

/** The content of a request, as its author gives it. */
interface Content {
  /** Undefined: the project of the only operation. */
  readonly projectId: number | undefined;
  readonly operations: readonly Operation[];
  readonly schedule: Schedule;
  readonly dependsOn: number | null;
  /**
   * Whether the operations are a bulk change: those that change nothing are left out, and an error
   * names the flags. Default: false.
   */
  readonly bulk?: boolean | undefined;
}

/** The operations of a request, checked and with what they are based on. */
export interface Proposal {
  readonly projectId: number;
  readonly operations: readonly RequestOperation[];
  readonly hash: string;
  /** What the operations do to verdicts. Null: nothing. */
  readonly ruleChange: RuleChange | null;
}

/**
 * Checks operations as a dry run does, and returns them with the contents of their targets before and after.
 * Without a project, it is that of the only operation. Throws: 400 for two operations with the same target
 * and for one that changes nothing, and the errors of `execute`.
 */
export const proposalOf = (
  call: Call,
  db: ReadDb,
  { projectId: inProject, operations: asked, schedule, dependsOn, bulk = false }: Content,
): Promise<Proposal> =>
  repeatStale(async () => {
    const earlier = await earlierOf(db, { projectId: inProject, dependsOn });
    const errorOf = bulk ? bulkError : listError;
    const done = await attempt(call, [...earlier.operations, ...asked], {
      projectId: inProject,
      dryRun: true,
      errorFor:
        inProject === undefined
          ? undefined
          : (errors) => errorOf(own(errors, earlier.operations.length)),
    });
    const ofAsked = { done, earlier, operations: asked, projectId: inProject };
    const planned = await ownPlan(call, db, ofAsked);
    const { work } = planned;
    const changing = new Set(work.records.map(({ operation }) => operation));
    if (bulk && changing.size === 0)
      throw new ApiError(
        "BAD_REQUEST",
        "The change request would change nothing: all flags already are as requested",
      );
    const operations = bulk ? asked.filter((_, n) => changing.has(n)) : asked;
    const targets = operations.map((operation) => targetOf(planned, operation));
    assertDifferent(targets);
    const idle = bulk ? -1 : targets.findIndex((_, n) => !changing.has(n));
    if (idle >= 0) throw invalid([{ field: `operations.${idle}`, message: "changes nothing" }]);
    const reviewed = targets.map((target, n) => {
      const operation = operations[n];
      const after =
        operation?.kind === "flag.clone" ? { ...operation.input } : targetContent(work, target);
      return Object.assign(target, { operation, after: after ?? {} });
    });
    const projectId = inProject ?? projectOf(work.initial);
    if (projectId === undefined) throw new Error("The operations must have a project");
    const current = withResult(earlier, await readCurrent(db, projectId, reviewed));
    const stored = await Promise.all(
      reviewed.map(async (operation) => {
        if (rowOf(current, operation)?.version !== rowOf(work.initial, operation)?.version)
          throw staleRow;
        const basis = await basisDigest(current, operation);
        return Object.assign(withBase(operation, targetContent(current, operation) ?? {}), {
          basis,
        });
      }),
    );
    if (jsonBytes(stored) > MAX_BYTES)
      throw new ApiError(
        "BAD_REQUEST",
        `The operations and the contents that they change have more than ${MAX_BYTES} bytes of JSON; make several requests`,
      );
    return {
      projectId,
      operations: stored,
      hash: await hashOf(stored, current, { ...schedule, dependsOn }),
      ruleChange: ruleChangeOf(planned, withoutPauses(changedTablesOf(work))) ?? null,
    };
  });

interface Reviewed extends Target {
  readonly operation: Operation | undefined;
  readonly after: RequestOperation["after"];
}

/** Whether an operation of a strategy is stored as a change of its fields: all but `strategy.set` are. */
const isStoredAsFields = ({ kind }: Operation): boolean =>
  kind === "strategy.replace" || kind === "strategy.switch" || kind === "strategy.copy";

function storedKind(operation: Operation): RequestKind {
  if (isStoredAsFields(operation)) return "strategy.set";
  const kind = REQUEST_KINDS.find((one) => one === operation.kind);
  if (!kind) throw new Error(`A change request has no operation ${operation.kind}`);
  return kind;
}

/** Returns an operation as it is stored. */
function withBase(
  { operation, ...reviewed }: Reviewed,
  base: RequestOperation["base"],
): Omit<RequestOperation, "basis"> {
  const change =
    operation && isStoredAsFields(operation)
      ? strategyChange(reviewed, { base, after: reviewed.after })
      : (operation?.input ?? null);
  return { ...reviewed, change, base };
}

/** Returns the errors with the indexes that the operations have without the earlier ones. */
function own(errors: readonly PlanError[], earlier: number): readonly PlanError[] {
  if (errors.some(({ operation }) => operation < earlier)) throw notDependable;
  return errors.map((error) => ({ ...error, operation: error.operation - earlier }));
}

interface Dependent {
  readonly done: Plan;
  readonly earlier: Earlier;
  readonly operations: readonly Operation[];
  readonly projectId: number | undefined;
}

/** Returns the plan of the operations alone, on the state after the earlier ones. */
function ownPlan(
  { now }: Call,
  db: ReadDb,
  { done, earlier, operations, projectId }: Dependent,
): Plan | Promise<Plan> {
  if (earlier.operations.length === 0 || projectId === undefined) return done;
  return planAfter(db, { projectId, earlier, operations }, { now: now(), newRuleId });
}

/** Returns the target of a planned operation, with the id of its flag. */
function targetOf({ work }: Plan, operation: Operation): Target {
  const { target } = operation;
  const idOf = (ref: FlagRef) => ("flagId" in ref ? ref.flagId : existing(work, ref).id);
  const environmentId = "environmentId" in target ? target.environmentId : null;
  const of = (targetId: number) => ({ kind: storedKind(operation), targetId, environmentId });
  if ("flag" in target) return of(idOf(target.flag));
  if ("id" in target) return of(target.id);
  if ("projectId" in target || "contextKey" in target)
    throw new Error("A change request creates nothing but clones");
  return of(idOf(target));
}

/** Returns a flag as it was before the operations. Throws: 404. */
function existing({ initial }: Work, ref: FlagRef): FlagState {
  const flag = initial.flags.of(ref);
  if (!flag) throw notFound("The flag does not exist");
  return flag;
}

function assertDifferent(targets: readonly Target[]): void {
  const seen = new Set<string>();
  for (const [n, { kind, targetId, environmentId }] of targets.entries()) {
    const table = kind === "segment.update" ? "segments" : "flags";
    const key = `${table} ${targetId} ${environmentId}`;
    if (seen.has(key))
      throw invalid([
        { field: `operations.${n}.target`, message: "must be the target of one operation only" },
      ]);
    seen.add(key);
  }
}
