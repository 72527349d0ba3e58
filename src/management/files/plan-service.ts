import type { FilePlan } from "@feature-flags/file/plan";
import { inTurns } from "../../core/lib/turns.ts";
import { type Call, reads, type RequestCall } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import { changedTablesOf } from "../../changes/changed-tables.ts";
import { newRuleId } from "../../core/strategies/rule-id.ts";
import { planInTurns, type Plan } from "../../changes/plan/plan.ts";
import { readState } from "../../changes/read.ts";
import { assertRegexesFit } from "../../changes/regex-limit.ts";
import { inScope, unknownProject } from "../../access/scope.ts";
import { findProject } from "../../model/files/queries.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import type { FileRequest } from "../../workflows/files/differences.ts";
import { evaluationsOf } from "./evaluation-counts.ts";
import { planView } from "./plan-view.ts";
import {
  fileError,
  MAX_READ_BYTES,
  compare,
  type Comparison,
} from "../../workflows/files/comparison.ts";
import { checkedRequest } from "./checked-request.ts";

/** The input of a plan, whose file was not checked yet. */
export type PlanInput = ById & Omit<FileRequest, "file"> & { readonly file: unknown };

/**
 * Plans what a file changes in a project. Writes nothing, and needs no permission to write. Does not
 * check quotas. Throws: 400 for a file that is not valid, 404, 409 for what an apply would refuse.
 */
export async function planProject(
  call: Call & Pick<RequestCall, "quotas">,
  { id, ...input }: PlanInput,
): Promise<FilePlan> {
  const ctx = reads(call, "project:export");
  const { db } = ctx;
  const project = inScope(ctx, await findProject(db, id), unknownProject());
  const request = await checkedRequest(input, call.quotas);
  return repeatStale(async () => {
    const comparison = await compare(db, project, request);
    const planned = await planOperations(call, db, comparison);
    return planView(db, comparison, {
      plan: planned,
      readChecks: evaluationsOf(call, db, id),
      showsPeople: call.actor.kind === "user",
    });
  });
}

/** Plans the operations of a file; undefined if there are none. Throws: the error of `fileError`. */
async function planOperations(
  { now }: Call,
  db: Parameters<typeof compare>[0],
  { content, operations }: Comparison,
): Promise<Plan | undefined> {
  if (operations.length === 0) return undefined;
  const list = operations.map(({ operation }) => operation);
  const { projectId } = content.project;
  const state = await readState(db, list, { projectId, maxBytes: MAX_READ_BYTES });
  const planned = await planInTurns(state, list, { now: now(), newRuleId });
  if (planned.errors.length > 0) throw fileError(operations, planned.errors);
  await assertRegexesFit(db, await inTurns(changedTablesOf(planned.work)));
  return planned;
}
