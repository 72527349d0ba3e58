import { changedFields, type Content } from "../../core/audit/changed-fields.ts";
import { changedShareOf } from "../../core/strategies/changed-variants.ts";
import { DEFAULT_STRATEGY } from "../../core/strategies/strategy.ts";
import type { Revision } from "../../db/commit.ts";
import type { EntityType } from "../../db/schema/records.ts";
import { type Call, reads } from "../../access/call.ts";
import { visibleProject } from "../../access/scope.ts";
import { execute } from "../../changes/execute.ts";
import { listError } from "../../changes/plan-error.ts";
import { planId } from "../../changes/plan-id.ts";
import type { Operation } from "../../changes/plan/operation.ts";
import type { Plan } from "../../changes/plan/plan.ts";

/**
 * The greatest size of the records and events of one request, bytes of JSON. A list can change a
 * large strategy many times, and an isolate has 128 MB.
 */
const MAX_RECORD_BYTES = 4_000_000;

interface RunOperations {
  readonly projectId: number;
  readonly operations: readonly Operation[];
  readonly dryRun: boolean;
}

/** What one operation changes, as its audit record says it. */
interface PlannedChange {
  readonly operation: number;
  readonly action: string;
  readonly entityType: EntityType;
  readonly entityId: number;
  readonly environmentId: number | null;
  readonly before: Content | null;
  readonly after: Content | null;
}

interface Move {
  readonly flagId: number;
  readonly environmentId: number;
  /** The share of users who get another variant, 0 to 1. */
  readonly share: number;
}

export interface OperationsResult {
  readonly planId: string;
  readonly changes: readonly PlannedChange[];
  /** Only in a dry run. */
  readonly moves: readonly Move[];
  readonly revisions: readonly Revision[];
}

/**
 * Runs operations in a project, all or none. Each operation sees the results of the operations before
 * it. The number of SQL statements does not depend on how many there are. Throws: as `execute`; the
 * error names the refused operations.
 */
export async function runOperations(
  call: Call,
  { projectId, operations, dryRun }: RunOperations,
): Promise<OperationsResult> {
  const { actor } = reads(call, "flag:write");
  const done = await execute(call, operations, {
    projectId: visibleProject(actor, projectId),
    dryRun,
    bounds: { maxRecordBytes: MAX_RECORD_BYTES },
    errorFor: listError,
  });
  return {
    planId: await planId(done),
    changes: plannedChanges(done),
    moves: dryRun ? movesOfPlan(done) : [],
    revisions: done.revisions,
  };
}

const plannedChanges = ({ work }: Plan): PlannedChange[] =>
  work.records.flatMap(({ operation, audit }) =>
    audit.map(({ action, entityType, entityId, environmentId, before, after }) => {
      const sides =
        before && after
          ? changedFields({ before: { ...before }, after: { ...after } })
          : { before: before ? { ...before } : null, after: after ? { ...after } : null };
      return {
        operation,
        action: typeof action === "string" ? action : "",
        entityType,
        entityId: Number(entityId),
        environmentId: typeof environmentId === "number" ? environmentId : null,
        before: sides?.before ?? null,
        after: sides?.after ?? null,
      };
    }),
  );

const movesOfPlan = ({ work }: Plan): Move[] =>
  Array.from(work.strategies).flatMap(([key, { flag, flagId, environmentId, content }]) => {
    const before = work.initial.strategies.get(key)?.content ?? DEFAULT_STRATEGY;
    if (before === content) return [];
    return [{ flagId, environmentId, share: changedShareOf(flag, before, content) }];
  });
