import type { FilePlan, PlannedApproval } from "@feature-flags/file/plan";
import { type Call, type Reading, reads, type RequestCall } from "../../access/call.ts";
import type { ById } from "../../core/lib/input.ts";
import type { Plan } from "../../changes/plan/plan.ts";
import { ruleChangeOf } from "../../changes/change.ts";
import { assertRegexesFit } from "../../changes/regex-limit.ts";
import { anyRuleOf, needingApproval } from "../../changes/restrictions.ts";
import { inScope, unknownProject } from "../../access/scope.ts";
import { findProject } from "../../model/files/queries.ts";
import { repeatStale } from "../../model/optimistic-update.ts";
import type { FileRequest } from "../../workflows/files/differences.ts";
import { waysOut } from "../../workflows/file-approvals/held.ts";
import { evaluationsOf } from "./evaluation-counts.ts";
import { planView } from "./plan-view.ts";
import { compare, type Comparison } from "../../workflows/files/comparison.ts";
import { planOperations } from "../../workflows/files/planned.ts";
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
    const comparison = await compare(ctx, project, request);
    const planned = await planAndWays(ctx, comparison);
    return planView(db, comparison, {
      ...planned,
      readChecks: evaluationsOf(call, db, id),
      showsPeople: call.actor.kind === "user",
    });
  });
}

/** Plans the operations of a file, and finds out whether they need an approval. Throws: as `planOperations`. */
async function planAndWays(
  ctx: Reading,
  comparison: Comparison,
): Promise<{ readonly plan: Plan | undefined; readonly approval: PlannedApproval | null }> {
  if (comparison.operations.length === 0) return { plan: undefined, approval: null };
  const { db, actor } = ctx;
  const { plan, changes } = await planOperations(ctx, comparison);
  await assertRegexesFit(db, changes);
  const ruleChange = ruleChangeOf(plan, changes);
  if (!ruleChange) return { plan, approval: null };
  const skipped = await needingApproval(db, actor, anyRuleOf(ruleChange.projectId));
  // Most projects have no protected environment, so that a large change is not compared with them.
  const needing = skipped.length === 0 ? [] : await needingApproval(db, actor, ruleChange);
  const approval = needing.length === 0 ? null : waysOut(comparison, plan, { needing, skipped });
  return { plan, approval };
}
