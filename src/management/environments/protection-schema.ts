import { z } from "@hono/zod-openapi";
import {
  MAX_APPROVALS,
  MEMBER_ACCESS,
  type Member,
  policyOf,
} from "../../core/protection/policy.ts";
import { id } from "../../http/schema.ts";
import type { ProtectedEnvironment } from "../../model/environments/protection-queries.ts";

const APPROVER_ROLES = ["DEVELOPER", "ADMIN"] as const;

const policyFields = {
  requiredApprovals: z.int().min(0).max(MAX_APPROVALS).openapi({
    description:
      "How many people must approve a change of the rules. Above 0, the environment is protected",
  }),
  approverRole: z.enum(APPROVER_ROLES).openapi({ description: "The lowest role that may approve" }),
  memberAccess: z.enum(MEMBER_ACCESS).openapi({
    description:
      "`list`: only administrators, and the members who `canWrite`, may change rules directly; API keys may not",
  }),
  requireReason: z
    .boolean()
    .openapi({ description: "Whether a direct change of the rules needs `X-Change-Reason`" }),
  allowTurnOff: z
    .boolean()
    .openapi({ description: "Whether turning off a flag needs no approval, reason or listing" }),
  allowBypass: z.boolean().openapi({
    description: "Whether an administrator may bypass the approval with `X-Approval-Bypass: true`",
  }),
};

const EXAMPLE = {
  requiredApprovals: 1,
  approverRole: "DEVELOPER",
  memberAccess: "roles",
  requireReason: true,
  allowTurnOff: true,
  allowBypass: true,
};

export const protectionResponse = z
  .object({
    ...policyFields,
    // A database can contain any role.
    approverRole: z.string().openapi({ enum: [...APPROVER_ROLES] }),
    eligibleApprovers: z.int().openapi({
      description:
        "The number of active users who may approve. A change needs one more than it requires, because its author does not count",
    }),
  })
  .openapi("Protection", { example: { ...EXAMPLE, eligibleApprovers: 4 } });

export const toProtection = (row: ProtectedEnvironment): z.infer<typeof protectionResponse> => ({
  ...policyOf(row),
  eligibleApprovers: row.eligibleApprovers,
});

export const protectionRequest = z.object(policyFields).partial().openapi("SetProtection", {
  description: "A field that is absent stays as it is",
  example: EXAMPLE,
});

/** The most members of an environment. */
const MAX_MEMBERS = 500;

const member = z.object({ userId: id, canWrite: z.boolean(), canApprove: z.boolean() });

const MEMBERS = { members: [{ userId: 2, canWrite: true, canApprove: false }] };

export const membersResponse = z
  .object({ members: z.array(member) })
  .openapi("EnvironmentMembers", { example: MEMBERS });

export const toMembers = (members: readonly Member[]): z.infer<typeof membersResponse> => ({
  members: members.map((one) => ({ ...one })),
});

export const membersRequest = z
  .object({
    members: z
      .array(member)
      .max(MAX_MEMBERS, `must have at most ${MAX_MEMBERS} members`)
      .refine((list) => new Set(list.map(({ userId }) => userId)).size === list.length, {
        message: "must have each user once",
      }),
  })
  .openapi("SetEnvironmentMembers", { example: MEMBERS });
