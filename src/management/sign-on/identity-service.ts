import { conflict, notFound } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import { aboutUser } from "../../db/audit.ts";
import { mayUsePassword } from "../../workflows/sign-in/password-sign-in.ts";
import { findUser } from "../../model/auth/queries.ts";
import { type Call, ownAccount, type RequestCall } from "../../access/call.ts";
import { listProviders } from "../../model/sign-on/provider-queries.ts";
import * as queries from "../../model/sign-on/queries.ts";

type IdentityCall = Call & Pick<RequestCall, "signOn">;
type IdentityRow = Awaited<ReturnType<typeof queries.listIdentities>>[number];

/** An account at a provider with which the signed-in user can sign in. */
export interface OwnIdentity extends Omit<IdentityRow, "subject" | "userId"> {
  readonly id: string;
  readonly provider: Pick<Provider, "slug" | "name"> | undefined;
}

const lastWay = conflict(
  "You could not sign in without this account; set a password or link another account first",
);

/** Returns the id of an identity in the API. It does not show the subject. */
const idOf = ({ issuer, subject }: Pick<IdentityRow, "issuer" | "subject">): Promise<string> =>
  sha256(`${issuer} ${subject}`);

/** Returns the accounts that are linked to the signed-in user, oldest first. */
export async function listOwnIdentities(call: IdentityCall): Promise<OwnIdentity[]> {
  const ctx = ownAccount(call, "session:own");
  const [rows, stored] = await Promise.all([
    queries.listIdentities(ctx.db, ctx.actor.id),
    listProviders(ctx.db),
  ]);
  const providers: readonly Provider[] = [...ctx.signOn.providers, ...stored];
  return Promise.all(
    rows.map(async (row) => ({
      id: await idOf(row),
      issuer: row.issuer,
      email: row.email,
      createdAt: row.createdAt,
      lastUsedAt: row.lastUsedAt,
      provider: providers.find(({ issuer }) => issuer === row.issuer),
    })),
  );
}

/**
 * Unlinks an account from the signed-in user, and ends the user's other sessions that began with it.
 * Throws: 404 if the user has no such account, 409 if the user could not sign in without it.
 */
export async function unlinkIdentity(
  call: IdentityCall,
  { identityId }: { readonly identityId: string },
): Promise<void> {
  const ctx = ownAccount(call, "session:own");
  const { id: userId, sessionId } = ctx.actor;
  const [rows, user] = await Promise.all([
    queries.listIdentities(ctx.db, userId),
    findUser(ctx.db, userId),
  ]);
  const ids = await Promise.all(rows.map(idOf));
  const row = rows[ids.indexOf(identityId)];
  if (!row || !user) throw notFound("The account is not linked to you");
  const { issuer, subject, email } = row;
  await ctx.commit({
    guards: [
      {
        holds: queries.hasOtherWay(userId, issuer, mayUsePassword(ctx, user, "breakGlass")),
        error: lastWay,
      },
    ],
    statements: [
      queries.deleteIdentity(issuer, subject),
      queries.endSessionsAt(userId, issuer, sessionId),
    ],
    audit: aboutUser("user.identity-unlinked", userId, { before: { issuer, email } }),
  });
}
