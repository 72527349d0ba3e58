import { inTurns } from "../../core/lib/turns.ts";
import { newRuleId } from "../../core/strategies/rule-id.ts";
import type { Reading } from "../../access/call.ts";
import { type AllChangedRows, changedTablesOf } from "../../changes/changed-tables.ts";
import { type Plan, planInTurns } from "../../changes/plan/plan.ts";
import { readState } from "../../changes/read.ts";
import { type Comparison, fileError, MAX_READ_BYTES } from "./comparison.ts";

/** What the operations of a file do, and the rows that they change. */
interface Planned {
  readonly plan: Plan;
  readonly changes: AllChangedRows;
}

/** Plans the operations of a file, of which there must be one. Throws: the error of `fileError`. */
export async function planOperations(
  { db, now }: Pick<Reading, "db" | "now">,
  { content, operations }: Comparison,
): Promise<Planned> {
  const list = operations.map(({ operation }) => operation);
  const { projectId } = content.project;
  const state = await readState(db, list, { projectId, maxBytes: MAX_READ_BYTES });
  const plan = await planInTurns(state, list, { now: now(), newRuleId });
  if (plan.errors.length > 0) throw fileError(operations, plan.errors);
  return { plan, changes: await inTurns(changedTablesOf(plan.work)) };
}
