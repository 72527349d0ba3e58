import { ApiError, conflict } from "../../core/errors/api-error.ts";
import type { Account } from "../../core/sign-on/account.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import { type Candidate, decide, type Decision } from "../../core/sign-on/rules.ts";
import { aboutUser, type AuditEntry } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { insertUser, signInStands, userIdByEmail, type UserRow } from "../../model/auth/queries.ts";
import { email as emailSchema } from "../auth/schema.ts";
import { name as nameSchema } from "../../http/schema.ts";
import { asSystem, asUser, type Visitor } from "../../access/call.ts";
import {
  anotherAdministrator,
  countUsers,
  endSessions,
  deleteTokens,
  tokenIsValid,
  updateUser,
} from "../../model/users/queries.ts";
import * as queries from "../../model/sign-on/queries.ts";

type Found = NonNullable<Awaited<ReturnType<typeof queries.findLinkedUser>>>;

/** A sign-in with an account that a provider has proved. */
export interface SignIn {
  readonly provider: Provider;
  readonly account: Account;
  /** The hash of the token of the invitation link that the person has opened. */
  readonly invitation?: string | undefined;
}

/** What is written together with an accepted sign-in, such as the code that completes it. */
type More = (userId: number | ReturnType<typeof userIdByEmail>) => readonly Statement[];

const SYSTEM = "sign-on";

/** How often a sign-in is decided again because another request has changed what it was decided on. */
const ATTEMPTS = 5;

/** Other requests have changed what the decision depends on. */
const outrun = conflict("Another request has changed the user; sign in again");

/**
 * Applies the rules to a sign-in (docs/build/decisions.md, 3.17). Creates, links or activates the
 * user and changes the role, if the rules say so. Returns the id of the user. Throws: `SignOnError`
 * if the rules refuse the sign-in; the refusal is audited.
 */
export async function acceptSignIn(
  ctx: Visitor,
  signIn: SignIn,
  more: More = () => [],
): Promise<number> {
  try {
    for (let n = 0; n < ATTEMPTS; n++) {
      const userId = await attempt(ctx, signIn, more);
      if (userId !== undefined) return userId;
    }
    throw new SignOnError("conflict");
  } catch (error) {
    if (error instanceof SignOnError) await auditRefusal(ctx, signIn, error);
    throw error;
  }
}

const auditRefusal = (ctx: Visitor, { provider, account }: SignIn, { problem }: SignOnError) =>
  asSystem(ctx, SYSTEM).commit({
    statements: [],
    audit: aboutUser("session.sign-on-refused", null, {
      after: { provider: provider.slug, problem, email: account.email ?? null },
    }),
  });

const candidateOf = (found: Found | undefined): Candidate | undefined =>
  found && {
    email: found.user.email,
    role: found.user.role,
    status: found.user.status,
    keepsRole: found.user.breakGlass || found.isLastAdministrator,
    isLinked: found.isLinked,
  };

async function candidates(ctx: Visitor, { provider, account, invitation }: SignIn) {
  const { issuer } = provider;
  const { subject, email } = account;
  const [linked, invited, sameEmail] = await Promise.all([
    queries.findLinkedUser(ctx.db, issuer, subject),
    invitation === undefined
      ? undefined
      : queries.findInvitedUser(ctx.db, issuer, { hash: invitation, now: ctx.now() }),
    email === undefined ? undefined : queries.findUserWithEmail(ctx.db, issuer, email),
  ]);
  return { linked, invited, sameEmail };
}

/** Decides and commits once. Returns undefined if another request was faster. */
async function attempt(ctx: Visitor, signIn: SignIn, more: More): Promise<number | undefined> {
  const found = await candidates(ctx, signIn);
  const decision = decide(signIn.provider, signIn.account, {
    linked: candidateOf(found.linked),
    invited: candidateOf(found.invited),
    sameEmail: candidateOf(found.sameEmail),
  });
  if ("problem" in decision) throw new SignOnError(decision.problem);
  try {
    if (decision.action === "create") return await create(ctx, signIn, decision.role, more);
    const one = decision.action === "sign-in" ? found.linked : found[decision.who];
    if (!one) throw new Error("The rules chose a user who was not found");
    await admit(ctx, signIn, { user: one.user, decision, more });
    return one.user.id;
  } catch (error) {
    if (error === outrun) return undefined;
    if (error instanceof ApiError && error.code === "QUOTA_EXCEEDED")
      throw new SignOnError("quota");
    throw error;
  }
}

const identityOf = ({ provider, account }: SignIn, now: number) => ({
  issuer: provider.issuer,
  subject: account.subject,
  email: account.email ?? null,
  createdAt: now,
  lastUsedAt: now,
});

/** Creates the user of an account whose e-mail address is proved. Returns the id. */
async function create(
  ctx: Visitor,
  signIn: SignIn,
  role: UserRow["role"],
  more: More,
): Promise<number> {
  const { provider, account } = signIn;
  const read = emailSchema.safeParse(account.email);
  if (!read.success) throw new SignOnError("not-verified");
  const email = read.data;
  const name = nameSchema.safeParse(account.name).data ?? email.split("@")[0] ?? email;
  const id = userIdByEmail(email);
  const now = ctx.now();
  await asSystem(ctx, SYSTEM).commit({
    guards: [{ quota: "USERS", count: countUsers }],
    statements: [
      insertUser({ email, name, role, status: "ACTIVE", createdAt: now }),
      queries.insertIdentity(id, identityOf(signIn, now)),
      ...more(id),
    ],
    audit: aboutUser("user.created", id, { after: { email, name, role, provider: provider.slug } }),
    onDuplicate: outrun,
  });
  const created = await queries.findLinkedUser(ctx.db, provider.issuer, account.subject);
  if (!created) throw outrun;
  return created.user.id;
}

interface Admission {
  readonly user: UserRow;
  readonly decision: Exclude<
    Decision,
    { readonly problem: unknown } | { readonly action: "create" }
  >;
  readonly more: More;
}

/** Signs an existing user in, links the account and changes the role, as the rules have decided. */
async function admit(
  ctx: Visitor,
  signIn: SignIn,
  { user, decision, more }: Admission,
): Promise<void> {
  const { provider, invitation } = signIn;
  const { id, status, role } = user;
  const now = ctx.now();
  const joins = status === "INVITED";
  const newRole = decision.role ?? role;
  const links = decision.action === "link";
  const viaLink = links && decision.who === "invited" && invitation !== undefined;
  const guards: Guard[] = [{ holds: signInStands(user), error: outrun }];
  if (viaLink) guards.push({ holds: tokenIsValid(invitation, "INVITE", now), error: outrun });
  if (role === "ADMIN" && newRole !== role)
    guards.push({ holds: anotherAdministrator(id), error: outrun });
  const change = {
    ...(joins && { status: "ACTIVE" as const }),
    ...(newRole !== role && { role: newRole }),
  };
  const identity = identityOf(signIn, now);
  await asUser(ctx, user).commit({
    guards,
    statements: [
      ...(Object.keys(change).length > 0 ? [updateUser(id, change)] : []),
      ...(joins ? [deleteTokens(id, "INVITE")] : []),
      // A changed role ends all sessions of the user. The one that now begins comes later.
      ...(newRole === role ? [] : endSessions(id)),
      links
        ? queries.insertIdentity(id, identity)
        : queries.touchIdentity(identity, { email: identity.email, lastUsedAt: now }),
      ...more(id),
    ],
    audit: [
      ...aboutUser("session.sign-on", id, { after: { provider: provider.slug } }),
      ...(links ? linkedRecord(id, signIn) : []),
      ...(joins ? aboutUser("user.joined", id) : []),
      ...(newRole === role
        ? []
        : aboutUser("user.updated", id, { before: { role }, after: { role: newRole } })),
    ],
    onDuplicate: outrun,
  });
}

/** The audit record of an account that is linked to a user. */
export const linkedRecord = (userId: number, { provider, account }: SignIn): [AuditEntry] =>
  aboutUser("user.identity-linked", userId, {
    after: { provider: provider.slug, issuer: provider.issuer, email: account.email ?? null },
  });
