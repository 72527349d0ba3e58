import type { SQL } from "drizzle-orm";
import type { Call, Writing } from "../access/call.ts";
import { type ApiError, conflict } from "../core/errors/api-error.ts";
import type { Restricted } from "../core/protection/policy.ts";
import type { RuleChange } from "../core/protection/rule-change.ts";
import type { Change, Committed } from "../db/commit.ts";
import type { Check } from "../db/guards.ts";
import { mailBypass } from "../mail/protection-mails.ts";
import { staleRow } from "../model/optimistic-update.ts";
import { approvalRequired, authorizeChange, HOW_TO_APPROVE } from "./authorize.ts";
import { withOverrides } from "./change.ts";
import {
  NO_RESTRICTIONS,
  readRestrictions,
  restrictedAsRead,
  type Restrictions,
} from "./restrictions.ts";

/** A change request that the operations apply, or a ramp of which they are a step. */
export interface Authority {
  /**
   * Returns the SQL condition that those who may approve in all of these environments have given so
   * many approvals. Undefined: no environment restricts the change.
   */
  readonly isApproved: ((environmentIds: readonly number[], required: number) => SQL) | undefined;
}

/** A change to commit, what it does to verdicts, and what it belongs to. */
interface Commitment {
  readonly change: Change;
  readonly ruleChange: RuleChange | undefined;
  /** Undefined: the change is a direct one. */
  readonly authority: Authority | undefined;
}

/** The error of a change that environments restrict, before it is known which. */
const restricted = conflict("Environments restrict the change");

/**
 * Commits a change if no environment restricts it, or if the actor may make it nevertheless. Most
 * projects restrict nothing, so the restrictions are read only after a guard has found some. A guard
 * compares them again, so those at the time of the commit count. Throws: as `authorizeChange`.
 */
export async function commitUnderProtection(
  call: Call,
  { db, commit }: Pick<Writing, "db" | "commit">,
  { change, ruleChange, authority }: Commitment,
): Promise<Committed> {
  if (!ruleChange || (authority && !authority.isApproved)) return commit(change);
  const { actor } = call;
  const commitIf = (found: Restrictions, allowed: Change, error: ApiError, approval?: Check) => {
    const guard = restrictedAsRead(actor, ruleChange, found, error);
    const more = approval ? [guard, approval] : [guard];
    return commit({ ...allowed, guards: [...(allowed.guards ?? []), ...more] });
  };
  try {
    return await commitIf(NO_RESTRICTIONS, change, restricted);
  } catch (error) {
    if (error !== restricted) throw error;
  }
  const found = await readRestrictions(db, actor, ruleChange);
  const allowed = authorizeChange(call, found.environments, { isCovered: authority !== undefined });
  const { overrideIn, bypassed } = allowed;
  const approval = authority && approvalOf(authority, allowed.needing);
  const committed = await commitIf(found, withOverrides(change, overrideIn), staleRow, approval);
  mailBypass(call, db, bypassed);
  return committed;
}

/** Returns the check that a change has the approvals of the environments that need them. */
function approvalOf({ isApproved }: Authority, needing: readonly Restricted[]): Check | undefined {
  if (needing.length === 0 || !isApproved) return undefined;
  const ids = needing.map(({ environmentId }) => environmentId);
  const required = Math.max(...needing.map(({ requiredApprovals }) => requiredApprovals));
  return { holds: isApproved(ids, required), error: approvalRequired(needing, HOW_TO_APPROVE) };
}
