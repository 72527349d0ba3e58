import { sha256 } from "../../core/lib/digest.ts";
import type { Caller } from "@feature-flags/permissions/permissions";
import type { ManagementDeps } from "../deps.ts";
import { mfaDeadline } from "../settings/schema.ts";
import { findActor, findKey } from "./queries.ts";
import { verifyAccessToken } from "./jwt.ts";

const API_KEY = /^[A-Za-z0-9_-]{64}$/;

/**
 * Tells a JWT (it has dots) from an API key (it has none) and finds who it belongs to. The role is
 * the database's, not the token's; a removed or disabled user is nobody at once (decisions 3.4).
 * Errors: 429 for an address that has tried many keys that are none.
 */
export async function identify(deps: ManagementDeps, token: string): Promise<Caller | undefined> {
  if (API_KEY.test(token)) {
    const { failures } = deps.limits;
    failures.check("key");
    const key = await findKey(deps.db, await sha256(token));
    if (!key) failures.count("key");
    return key && { kind: "key", ...key };
  }
  const claims = await verifyAccessToken(deps.tokens, token, deps.now());
  if (!claims) return undefined;
  const found = await findActor(deps.db, claims.userId);
  if (found?.user.status !== "ACTIVE") return undefined;
  const { user, hasMfa, requireMfaSince } = found;
  const deadline = mfaDeadline({ requireMfa: found.requireMfa ?? false, requireMfaSince });
  return {
    kind: "user",
    id: user.id,
    email: user.email,
    role: user.role,
    sessionId: claims.sessionId,
    projectId: claims.projectId,
    mfaOverdue: !hasMfa && deadline !== null && deadline <= deps.now(),
  };
}
