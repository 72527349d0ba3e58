import { pathOf } from "@feature-flags/file/diff";
import type { Kind } from "@feature-flags/file/schema";
import type { FilePlan } from "@feature-flags/file/plan";
import { ApiError } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { inTurns, Turns } from "../../core/lib/turns.ts";
import { actorName, type AuditEntry } from "../../db/audit.ts";
import type { Change, Revision } from "../../db/commit.ts";
import { contextDefinitions, flags, segments, tags } from "../../db/schema/projects.ts";
import { type Call, reads, type RequestCall, writes } from "../../access/call.ts";
import { attempt } from "../../changes/execute.ts";
import { MAX_OPERATIONS } from "../../changes/plan/operation.ts";
import type { Plan } from "../../changes/plan/plan.ts";
import { allUnchanged, repeatStale, staleRow } from "../../model/optimistic-update.ts";
import { inScope, unknownProject } from "../../access/scope.ts";
import { findProject } from "../../model/files/queries.ts";
import { strategiesHaveVersions } from "../../model/strategies/queries.ts";
import type { FoundConflict } from "../../workflows/files/differences.ts";
import { assertMayOwn, changedOwnership } from "../../workflows/files/ownership.ts";
import {
  countApply,
  lastApplied,
  replaceManaged,
  sameApplies,
} from "../../model/files/ownership-queries.ts";
import type { PlanInput } from "./plan-service.ts";
import {
  type Applying,
  isProposable,
  type PlanToApprove,
  planToApprove,
} from "../../workflows/file-approvals/plan-to-approve.ts";
import {
  canWait,
  heldPaths,
  NOT_PROPOSABLE,
  withoutHeld,
} from "../../workflows/file-approvals/held.ts";
import { planOperations } from "../../workflows/files/planned.ts";
import { evaluationsOf } from "./evaluation-counts.ts";
import { planView } from "./plan-view.ts";
import {
  fileError,
  MAX_READ_BYTES,
  compare,
  type Comparison,
} from "../../workflows/files/comparison.ts";
import { checkedRequest } from "./checked-request.ts";

export interface ApplyInput extends PlanInput {
  /** The ids of the plans that somebody has reviewed. */
  readonly ifMatch: readonly string[];
  /** Where the file comes from. */
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
}

/** What an apply has done, or the plan that needs an approval first. */
export type Applied =
  | { readonly plan: FilePlan; readonly revisions: readonly Revision[] }
  | { readonly needsApproval: PlanToApprove; readonly revisions: readonly Revision[] };

/**
 * Applies a file to a project: all its changes in one commit, or none. Repeats the comparison if
 * another request has changed a row in between. Writes nothing if the project is as the file says.
 * Returns the operations if an environment requires an approval, and a change request can have them.
 * With `protectedEnvironments: "propose"`, commits all changes that need no approval, and returns the
 * others. A repeated apply finds that commit, and returns the others again.
 * Throws: 400 for a file that is not valid; 409 for conflicts, for an operation that is refused, and if
 * an environment requires an approval of something new; 412 if the changes are not those of the plan;
 * 403 without the permission for each change; 402 for a quota.
 */
export async function applyProject(
  call: Call & Pick<RequestCall, "quotas">,
  { id, ifMatch, repository, commit, ...input }: ApplyInput,
): Promise<Applied> {
  const found = reads(call, "project:apply");
  const project = inScope(found, await findProject(found.db, id), unknownProject());
  const ctx = writes(call, "project:apply", project);
  const request = await checkedRequest(input, call.quotas);
  return repeatStale(async () => {
    const comparison = await compare(ctx, project, request);
    const { draft, operations } = comparison;
    if (draft.conflicts.length > 0) throw conflictError(draft.conflicts);
    const applying = { comparison, repository, commit };
    const proposes = request.protectedEnvironments === "propose";
    if (operations.length > 0 && !ifMatch.includes(draft.id)) {
      // The changes that an earlier attempt has left for a request belong to the plan, too.
      const last = proposes ? await lastApplied(ctx.db, id) : undefined;
      const isRest =
        last !== undefined &&
        ifMatch.includes(last.planId) &&
        last.fileDigest === (await digestOf(comparison));
      if (!isRest || !isProposable(comparison)) throw otherPlan;
      return { needsApproval: await planToApprove(call, applying), revisions: [] };
    }
    const view = (plan: Plan | undefined) =>
      planView(ctx.db, comparison, {
        plan,
        approval: null,
        readChecks: evaluationsOf(call, ctx.db, id),
        showsPeople: call.actor.kind === "user",
      });
    if (operations.length === 0) {
      const adoption = await extension(call, applying)(undefined, undefined);
      if (adoption) await ctx.commit(adoption);
      return { plan: await view(undefined), revisions: [] };
    }
    try {
      const done = await attemptAll(call, applying);
      return { plan: await view(done), revisions: done.revisions };
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === "APPROVAL_REQUIRED";
      if (!isRefused) throw error;
      if (!proposes && !isProposable(comparison)) throw notProposable(error, WAYS_OUT);
      if (!proposes) return { needsApproval: await planToApprove(call, applying), revisions: [] };
      writes(call, "change-request:write", project);
      const { plan } = await planOperations(ctx, comparison);
      const held = heldPaths(comparison, plan, error.approval?.environments ?? []);
      if (!canWait(comparison, held)) throw notProposable(error, NOT_PROPOSABLE);
      const direct = withoutHeld(comparison, held);
      if (direct.operations.length === 0)
        return { needsApproval: await planToApprove(call, applying), revisions: [] };
      const fileDigest = await digestOf(comparison);
      const { revisions } = await attemptAll(call, { ...applying, comparison: direct }, fileDigest);
      const rest = await compare(ctx, project, request);
      // Somebody has changed the project since the commit, so that another plan is left.
      const isLeft = rest.operations.length > 0 && rest.draft.conflicts.length === 0;
      if (!isLeft || !isProposable(rest)) throw otherPlan;
      const needsApproval = await planToApprove(call, { ...applying, comparison: rest });
      return { needsApproval, revisions };
    }
  });
}

/** Returns a digest of the file of a comparison. */
const digestOf = ({ request }: Comparison): Promise<string> => sha256(JSON.stringify(request.file));

/**
 * Commits all operations of a comparison, with what the file then owns. `fileDigest`: of the file, if its
 * other changes wait for an approval. Throws: as `attempt`.
 */
function attemptAll(call: Call, applying: Applying, fileDigest?: string) {
  const { content, operations } = applying.comparison;
  return attempt(
    call,
    operations.map(({ operation }) => operation),
    {
      projectId: content.project.projectId,
      bounds: { maxReadBytes: MAX_READ_BYTES },
      errorFor: (errors) => fileError(operations, errors),
      extend: extension(call, applying, fileDigest),
    },
  );
}

/** Returns the error of an apply that needs an approval, and that a change request cannot carry out. */
function notProposable({ approval }: ApiError, next: string): ApiError {
  const names = approval?.environments.map(({ name }) => name).join(", ");
  return new ApiError(
    "APPROVAL_REQUIRED",
    `The change needs an approval in these environments: ${names}. ${next}`,
    { ...(approval && { approval }) },
  );
}

const WAYS_OUT =
  `A change request has at most ${MAX_OPERATIONS} changes, makes no new flags and segments, and cannot unarchive ` +
  "and change one flag. Set protectedEnvironments to propose, which creates new flags off there and opens a " +
  "change request for their rules, or to skip, which leaves these environments out";

const otherPlan = new ApiError(
  "CONFLICT",
  "The file would change something else than the plan; make the plan again, and review it",
  { status: 412 },
);

const conflictError = (conflicts: readonly FoundConflict[]): ApiError =>
  new ApiError(
    "CONFLICT",
    `The project has ${conflicts.length} values that are not the file's to change; see details, and update ` +
      "the file, remove the fields from it, or name them in overwrite",
    {
      details: conflicts.map(({ place, manager }) => ({
        field: pathOf(place),
        message:
          manager === null
            ? "was changed since the file was applied"
            : `belongs to the manager ${manager}`,
      })),
    },
  );

type Extend = (own: Change | undefined, plan: Plan | undefined) => Promise<Change | undefined>;

/**
 * Returns the function that adds to the change of the operations what the file owns, the audit record of
 * the apply, and the guards for all rows with which the file was compared. It returns undefined if nothing
 * changes.
 */
function extension(
  call: Call,
  { comparison, repository, commit }: Applying,
  fileDigest?: string,
): Extend {
  const { content, draft } = comparison;
  const { projectId } = content.project;
  const { manager, id: planId } = draft;
  const applied: AuditEntry = {
    action: "project.applied",
    entityType: "project",
    entityId: projectId,
    projectId,
    after: { ...(manager !== null && { manager }), planId, repository, commit, fileDigest },
  };
  return async (own, plan) => {
    const turns = new Turns();
    const owned = await comparison.owned();
    const changed = await inTurns(changedOwnership(comparison, owned, plan?.work), turns);
    if (!own && changed.deleted.length + changed.inserted.length === 0) return undefined;
    assertMayOwn(call.actor, content.flags, changed);
    const source = { projectId, planId, repository, commit };
    const by = { appliedBy: actorName(call.actor), appliedAt: call.now() };
    const [first, ...others] = own?.audit ?? [applied];
    return {
      ...own,
      guards: [...guardsOf(comparison), ...(own?.guards ?? [])],
      statements: [
        ...(own?.statements ?? []),
        ...(await inTurns(replaceManaged(projectId, changed), turns)),
        ...(manager === null ? [] : [countApply({ ...source, ...by, name: manager })]),
      ],
      audit: own ? [first, ...others, applied] : [applied],
    };
  };
}

/** Returns the guards that fail if something that the file names was changed since it was read. */
function guardsOf({ content, ownership, draft, ids, versions }: Comparison) {
  const named = (kind: Kind) =>
    draft.resources.flatMap((one) => {
      const id = one.kind === kind ? ids.of(one) : undefined;
      if (id === undefined) return [];
      const environmentId = ids.environment(one);
      return [{ id, flagId: id, environmentId, version: versions.of(kind, id, environmentId) }];
    });
  return [
    sameApplies(content.project.projectId, ownership),
    allUnchanged(contextDefinitions, named("context")),
    allUnchanged(tags, named("tag")),
    allUnchanged(segments, named("segment")),
    allUnchanged(flags, named("flag")),
    { holds: strategiesHaveVersions(named("strategy")), error: staleRow },
  ];
}
