import type { Caller } from "@feature-flags/permissions/permissions";
import { conflict, unauthorized } from "../../core/errors/api-error.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import { emailProblem, groupRole } from "../../core/sign-on/rules.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Guard } from "../../db/guards.ts";
import { assertAllowed } from "../../http/permission.ts";
import { actorOf } from "../../access/actor.ts";
import { confirmedUntil, withCurrentPassword } from "../../workflows/sign-in/current-password.ts";
import {
  findSignInById,
  findUserInSession,
  markConfirmed,
  sessionLives,
} from "../../model/auth/queries.ts";
import { asUser, type Visitor } from "../../access/call.ts";
import { linkedRecord, type SignIn } from "./accept.ts";
import type { Flow, Intent } from "./flow.ts";
import * as queries from "../../model/sign-on/queries.ts";

/** How much the clock of a provider may be behind when it confirms a user, seconds. */
const CONFIRM_TOLERANCE_S = 30;

/** The user who has begun a flow, with the session. */
type Owner = NonNullable<Flow["session"]>;

/** Who begins a flow, and for what. */
export interface Beginning {
  readonly caller: Caller | undefined;
  readonly intent: Intent;
  /** Needed to link an account, unless the user has signed in or confirmed within ten minutes. */
  readonly currentPassword?: string | undefined;
}

/**
 * Returns who begins a flow that needs a session; undefined for a sign-in. Throws: 401 without a
 * session, 403 for a test by somebody who may not change providers; for a link that the user must
 * confirm, 400 if the password is wrong or missing, and 429 after too many wrong passwords.
 */
export async function ownerOf(ctx: Visitor, input: Beginning): Promise<Owner | undefined> {
  const { caller, intent, currentPassword } = input;
  if (intent === "signIn") return undefined;
  if (caller?.kind !== "user" || caller.sessionId === undefined) throw unauthorized();
  if (intent === "test") assertAllowed(caller, "settings:write");
  const owner = { id: caller.sessionId, userId: caller.id };
  if (intent === "link") await assertConfirmed(asUser(ctx, caller), owner, currentPassword);
  return owner;
}

/**
 * Throws: 400 unless the session began or was confirmed within ten minutes, or the current password is
 * right. A thief of an access token could otherwise link their own account to the user, and
 * sign in with it ever after.
 */
async function assertConfirmed(
  ctx: Writer,
  owner: Owner,
  currentPassword: string | undefined,
): Promise<void> {
  const found = await findUserInSession(ctx.db, owner.userId, owner.id);
  if (!found) throw unauthorized();
  const { user, startedAt, confirmedAt } = found;
  const since = Math.max(startedAt ?? 0, confirmedAt ?? 0);
  if (currentPassword === undefined && confirmedUntil(since, ctx.now()) !== null) return;
  await withCurrentPassword(ctx, { user, currentPassword }, (attempt) =>
    ctx.commit({
      guards: attempt.guards,
      statements: [...attempt.statements],
      audit: aboutUser("session.confirmed", user.id, { after: { provider: null } }),
    }),
  );
}

interface Errand {
  readonly intent: Intent;
  readonly owner: Owner;
  readonly startedAt: number;
}

/** Does what a flow of a signed-in user is for. Throws: `SignOnError`. */
export async function runIntent(ctx: Visitor, signIn: SignIn, errand: Errand): Promise<void> {
  const { intent, owner } = errand;
  const found = await findSignInById(ctx.db, owner.userId);
  if (found?.user.status !== "ACTIVE") throw new SignOnError("disabled");
  const writer = asUser(ctx, { ...actorOf(found.user), sessionId: owner.id });
  const lives: Guard = { holds: sessionLives(owner.id), error: ended };
  try {
    if (intent === "test") return checkProvider(signIn);
    if (intent === "link") return await link(writer, signIn, lives);
    return await confirm(writer, signIn, { ...errand, lives });
  } catch (error) {
    if (error === ended) throw new SignOnError("expired");
    if (error === taken) throw new SignOnError("conflict");
    throw error;
  }
}

const ended = unauthorized("The session has ended; sign in again");
const taken = conflict("The account is linked to another user");

/** Throws: `SignOnError` if a new user with the account could not sign in. Writes nothing. */
function checkProvider({ provider, account }: SignIn): void {
  const problem = emailProblem(provider, account);
  if (problem !== undefined) throw new SignOnError(problem);
  if (groupRole(provider, account) === "refuse") throw new SignOnError("no-role");
}

type Writer = ReturnType<typeof asUser>;

/** Links an account to the signed-in user. Throws: `taken` if another user or account has the link. */
async function link(ctx: Writer, signIn: SignIn, lives: Guard): Promise<void> {
  const { provider, account } = signIn;
  const { id } = ctx.actor;
  const linked = await queries.findLinkedUser(ctx.db, provider.issuer, account.subject);
  if (linked) {
    if (linked.user.id !== id) throw taken;
    return;
  }
  const now = ctx.now();
  await ctx.commit({
    guards: [lives],
    statements: [
      queries.insertIdentity(id, {
        issuer: provider.issuer,
        subject: account.subject,
        email: account.email ?? null,
        createdAt: now,
      }),
    ],
    audit: linkedRecord(id, signIn),
    onDuplicate: taken,
  });
}

/**
 * Notes that the provider has confirmed the signed-in user. OpenID Connect says when the person has
 * authenticated; at the other providers, the same account is enough.
 */
async function confirm(
  ctx: Writer,
  { provider, account }: SignIn,
  { owner, startedAt, lives }: Errand & { readonly lives: Guard },
): Promise<void> {
  const since = startedAt / 1000 - CONFIRM_TOLERANCE_S;
  if (provider.type === "oidc" && !((account.authTime ?? 0) >= since))
    throw new SignOnError("provider", "The provider did not ask the person to authenticate again");
  const { id } = ctx.actor;
  await ctx.commit({
    guards: [
      lives,
      { holds: queries.identityIsOf(id, provider.issuer, account.subject), error: taken },
    ],
    statements: [markConfirmed(owner.id, ctx.now())],
    audit: aboutUser("session.confirmed", id, { after: { provider: provider.slug } }),
  });
}
