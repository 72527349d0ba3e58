import {
  type Actor,
  type Role,
  roleIn,
  roleIncludes,
} from "@feature-flags/permissions/permissions";

/** Who may write to an environment: by the role, or only listed users and administrators. */
export const MEMBER_ACCESS = ["roles", "list"] as const;
export type MemberAccess = (typeof MEMBER_ACCESS)[number];

/** The most approvals that an environment can require. */
export const MAX_APPROVALS = 5;

/** The protection of an environment against direct changes of its rules. */
export interface Policy {
  /** How many people must approve a change, 0 to `MAX_APPROVALS`. Above 0, the environment is protected. */
  readonly requiredApprovals: number;
  /** The lowest role in the project that may approve. */
  readonly approverRole: Role;
  readonly memberAccess: MemberAccess;
  readonly requireReason: boolean;
  /** Whether turning off a flag needs no approval, no reason and no listing. */
  readonly allowTurnOff: boolean;
  /** Whether an administrator may bypass the approval with a reason. */
  readonly allowBypass: boolean;
}

/** Returns the policy of a row that has its fields among others. */
export const policyOf = (row: Policy): Policy => ({
  requiredApprovals: row.requiredApprovals,
  approverRole: row.approverRole,
  memberAccess: row.memberAccess,
  requireReason: row.requireReason,
  allowTurnOff: row.allowTurnOff,
  allowBypass: row.allowBypass,
});

/** The rights of a user in an environment whose `memberAccess` is `list`. */
export interface Member {
  readonly userId: number;
  readonly canWrite: boolean;
  readonly canApprove: boolean;
}

/** What a change does to the verdicts of an environment, in ascending order. */
export const EFFECTS = ["none", "turn-off", "any"] as const;
type Effect = (typeof EFFECTS)[number];

/** A change of the rules of one environment, and what the environment demands of it. */
export interface Restricted extends Pick<
  Policy,
  "requiredApprovals" | "memberAccess" | "requireReason" | "allowTurnOff" | "allowBypass"
> {
  readonly projectId: number;
  readonly environmentId: number;
  readonly name: string;
  readonly effect: Exclude<Effect, "none">;
  /** Whether the actor is listed with the right to write. */
  readonly isListed: boolean;
}

/**
 * Returns what keeps an actor from a direct change: it needs an approval, or a reason. Undefined: nothing.
 */
export function obstacleTo(
  actor: Actor,
  one: Restricted,
  hasReason: boolean,
): "approval" | "reason" | undefined {
  if (one.requiredApprovals > 0 || !mayWrite(actor, one)) return "approval";
  return one.requireReason && !hasReason ? "reason" : undefined;
}

/** Whether the change only turns flags off, and the environment lets that pass. */
export const isFreeTurnOff = ({ effect, allowTurnOff }: Restricted): boolean =>
  effect === "turn-off" && allowTurnOff;

/** Whether an actor with the permission to write may write to the environment without a proposal. */
export const mayWrite = (
  actor: Actor,
  {
    projectId,
    memberAccess,
    isListed,
  }: Pick<Restricted, "projectId" | "memberAccess" | "isListed">,
): boolean =>
  memberAccess === "roles" ||
  (actor.kind === "user" && (isListed || roleIn(actor, projectId) === "ADMIN"));

/** Whether one policy protects less than the policy before, in any of its fields. */
export const isWeaker = (before: Policy, after: Policy): boolean =>
  after.requiredApprovals < before.requiredApprovals ||
  !roleIncludes(after.approverRole, before.approverRole) ||
  (before.memberAccess === "list" && after.memberAccess === "roles") ||
  (before.requireReason && !after.requireReason) ||
  (!before.allowTurnOff && after.allowTurnOff) ||
  (!before.allowBypass && after.allowBypass);

/** Whether a list of members gives somebody a right that the list before did not. */
export function grantsMore(before: readonly Member[], after: readonly Member[]): boolean {
  const old = new Map(before.map((one) => [one.userId, one]));
  return after.some(({ userId, canWrite, canApprove }) => {
    const was = old.get(userId);
    return (canWrite && !was?.canWrite) || (canApprove && !was?.canApprove);
  });
}
