import { DEFAULT_MANAGER } from "@feature-flags/file/file";
import { inTurns } from "../../core/lib/turns.ts";
import { REQUEST_KINDS } from "../../core/change-requests/kinds.ts";
import type { PlanOfFile } from "../../model/change-requests/file-plan-queries.ts";
import type { Call } from "../../access/call.ts";
import { type Operation, MAX_OPERATIONS } from "../../changes/plan/operation.ts";
import { changedOwnership } from "../files/ownership.ts";
import { plannedFields } from "./planned-fields.ts";
import type { Comparison } from "../files/comparison.ts";

/** An apply of a file that was compared with its project. */
export interface Applying {
  readonly comparison: Comparison;
  /** Where the file comes from. */
  readonly repository: string | undefined;
  readonly commit: string | undefined;
}

/** A plan that needs an approval. */
export interface PlanToApprove extends PlanOfFile {
  readonly projectId: number;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The kinds of operations that a change request can have. */
const PROPOSABLE: ReadonlySet<string> = new Set(REQUEST_KINDS);

/**
 * Whether a change request can have all operations: none makes something new, no flag is the target of
 * two, because it is unarchived and changed, and they are not too many to review.
 */
export function isProposable({ operations, draft }: Comparison): boolean {
  const restored = new Set(draft.restored.map(({ id }) => id));
  return (
    operations.length <= MAX_OPERATIONS &&
    operations.every(
      ({ operation: { kind, target } }) =>
        PROPOSABLE.has(kind) &&
        !(kind === "flag.update" && "flagId" in target && restored.has(target.flagId)),
    )
  );
}

/** Returns the plan of an apply, as the change request for it stores the plan. */
export async function planToApprove(
  call: Pick<Call, "request">,
  { comparison, repository, commit }: Applying,
): Promise<PlanToApprove> {
  const { content, draft, operations } = comparison;
  const { manager, id: planId } = draft;
  const reason = (call.request?.reason ?? "").trim();
  const usualTitle = manager === null ? "An import" : `The file of ${manager}`;
  const source = [repository, commit].filter((part) => part !== undefined).join(" ");
  const owned = await comparison.owned();
  const changed = await inTurns(changedOwnership(comparison, owned, undefined));
  return {
    projectId: content.project.projectId,
    title: reason === "" ? usualTitle : reason,
    description: `Plan ${planId}${source === "" ? "" : ` of ${source}`}`,
    operations: operations.map(({ operation }) => operation),
    fileApply: {
      manager: manager ?? DEFAULT_MANAGER,
      ...(manager === null && { manages: false }),
      planId,
      repository,
      commit,
    },
    fields: plannedFields(manager, changed),
  };
}
