import { type Actor, type Permission, tokenOf } from "@feature-flags/permissions/permissions";
import { ApiError } from "../core/errors/api-error.ts";
import { isFreeTurnOff, mayWrite, obstacleTo, type Restricted } from "../core/protection/policy.ts";
import type { Override } from "../db/schema/records.ts";
import { assertAllowed } from "../http/permission.ts";
import { type Call, type Reading, reads, writes, type Writing } from "../access/call.ts";
import { outsideEnvironments } from "../access/scope.ts";
import type { Operation } from "./plan/operation.ts";
import type { State } from "./plan/state.ts";

/** The permission that each kind of operation needs, by the resource. */
const PERMISSION_OF = {
  flag: "flag:write",
  strategy: "strategy:write",
  ramp: "strategy:write",
  segment: "segment:write",
  tag: "tag:write",
  context: "context:write",
} as const satisfies Record<string, Permission>;

const permissionOf = ({ kind }: Operation) => {
  const [resource = ""] = kind.split(".");
  return PERMISSION_OF[resource as keyof typeof PERMISSION_OF];
};

/**
 * Checks that the actor of a call may do what the operations say in some project, and as an API key or a
 * limited token in its environments. Returns what `attempt` needs to read. The projects of the rows are known
 * only later (see `authorizeWrites`). Throws: 403.
 */
export function authorizeReads(call: Call, operations: readonly Operation[]): Reading {
  if (tokenOf(call.actor)?.environmentIds && operations.some(isInAllEnvironments))
    throw outsideEnvironments();
  const scopes = new Map(
    operations.map((operation) => {
      const { target } = operation;
      const environmentId = "environmentId" in target ? target.environmentId : undefined;
      const permission = permissionOf(operation);
      return [`${permission} ${environmentId}`, { permission, environmentId }];
    }),
  );
  let allowed: Reading | undefined;
  for (const { permission, environmentId } of scopes.values())
    allowed = reads(call, permission, { environmentId });
  if (!allowed) throw new Error("There must be an operation");
  return allowed;
}

/** Whether an operation can change more than one environment, or what all of them have. */
const isInAllEnvironments = ({ kind, target }: Operation): boolean =>
  kind !== "flag.create" && !("environmentId" in target);

/**
 * Checks that the actor of a call has the permissions for the operations in the project of the rows that
 * were read. Returns what `attempt` needs to commit.
 * Throws: 403 without a permission in the project, and for an API key of another project.
 */
export function authorizeWrites(
  call: Call,
  operations: readonly Operation[],
  state: State,
): Writing | undefined {
  const { project, flags, strategies, segments, tags, contexts } = state;
  const projects = new Set([
    ...(project ? [project.id] : []),
    ...[flags, segments, tags, contexts].flatMap((rows) =>
      Array.from<{ readonly projectId: number }, number>(rows.values(), (row) => row.projectId),
    ),
    ...Array.from(strategies.values(), ({ flag }) => flag.projectId),
  ]);
  let allowed: Writing | undefined;
  for (const projectId of projects)
    for (const permission of new Set(operations.map(permissionOf)))
      allowed = writes(call, permission, { projectId });
  return allowed;
}

/** Why the change of an environment needs no approval. Undefined: it would not need one anyway. */
export type OverrideIn = (environmentId: number | undefined) => Override | undefined;

/** Why a direct change is allowed in the environments that restrict it. */
export interface Allowed {
  readonly overrideIn: OverrideIn;
  /** The environments whose approval the actor bypasses. */
  readonly bypassed: readonly Restricted[];
  /** The environments whose approval the change request must have. */
  readonly needing: readonly Restricted[];
}

/**
 * Checks that the actor of a call may change rules directly, or by a change request or a ramp, although
 * environments restrict it. To turn off flags is free if the environment says so. A request and a ramp
 * have a reason of their own, and an actor who may write to an environment may apply them there.
 * Throws: 409 if the change needs an approval, 400 if it needs a reason, 403 if somebody else than an
 * administrator asks to bypass the approval, or applies a request where they may not write.
 */
export function authorizeChange(
  call: Call,
  environments: readonly Restricted[],
  { isCovered }: { readonly isCovered: boolean },
): Allowed {
  const { actor, request } = call;
  const hasOwnReason = (request?.reason ?? "").trim() !== "";
  const hasReason = hasOwnReason || isCovered;
  const obstructed = environments.filter((one) => obstacleTo(actor, one, hasReason));
  const turnedOff = new Set(
    obstructed.filter(isFreeTurnOff).map(({ environmentId }) => environmentId),
  );
  const stopped = obstructed.filter((one) => !isFreeTurnOff(one));
  const needing = stopped.filter((one) => obstacleTo(actor, one, hasReason) === "approval");
  const isBypass = needing.length > 0 && request?.bypass === true;
  if (isBypass) {
    for (const { projectId } of needing) assertAllowed(actor, "protection:bypass", projectId);
    const strict = needing.filter(({ allowBypass }) => !allowBypass);
    if (strict.length > 0)
      throw approvalRequired(strict, `It cannot be bypassed there. ${HOW_TO_PROPOSE}`);
  } else if (isCovered) assertMayWrite(actor, needing);
  else if (needing.length > 0) throw approvalRequired(needing);
  if (!(isBypass ? hasOwnReason : hasReason) && stopped.length > 0)
    throw new ApiError(
      "BAD_REQUEST",
      `The header X-Change-Reason must say why, because of these environments: ${namesOf(stopped)}`,
    );
  return {
    overrideIn: (id) =>
      isBypass ? "bypass" : id !== undefined && turnedOff.has(id) ? "turn-off" : undefined,
    bypassed: isBypass ? needing : [],
    needing: isBypass ? [] : needing,
  };
}

/** Throws: 403 if the actor may not write to one of the environments. */
function assertMayWrite(actor: Actor, environments: readonly Restricted[]): void {
  const closed = environments.filter((one) => !mayWrite(actor, one));
  if (closed.length > 0)
    throw new ApiError("FORBIDDEN", `You may not write to these environments: ${namesOf(closed)}`);
}

/** The next step after a direct change that needs an approval. */
const HOW_TO_PROPOSE =
  "Propose it instead: with ?propose=true and the header X-Change-Reason, or with POST /api/v1/change-requests";

/** The next step for a change request or a ramp that has too few approvals. */
export const HOW_TO_APPROVE = "Others who may approve there must approve it first";

/** The error of a change that needs an approval in these environments. `how`: the next step. */
export const approvalRequired = (environments: readonly Restricted[], how = HOW_TO_PROPOSE) =>
  new ApiError(
    "APPROVAL_REQUIRED",
    `The change needs an approval in these environments: ${namesOf(environments)}. ${how}`,
    {
      approval: {
        environments: environments.map(({ environmentId: id, name }) => ({ id, name })),
      },
    },
  );

const namesOf = (environments: readonly Restricted[]): string =>
  environments.map(({ name }) => name).join(", ");
