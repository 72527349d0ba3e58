import { unauthorized } from "../../core/errors/api-error.ts";
import { HOUR_MS } from "../../core/lib/time.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { digestOfPassword } from "../../workflows/sign-in/device.ts";
import { type ProviderSignIn, signMfaToken } from "../../access/jwt.ts";
import type { SecondFactor, UserRow } from "../../model/auth/queries.ts";
import { type FirstStep, type NewSession, startSession } from "../../workflows/sign-in/sign-in.ts";
import { asUser, type Visitor } from "../../access/call.ts";
import type { SignIn } from "./accept.ts";

export const signOnEnded = () =>
  unauthorized("The sign-in has expired or was completed; start again");

/** Returns how a session begins with an account, and whether the account has a second factor. */
export function viaOf(
  { provider, account }: SignIn,
  now: number,
): { readonly via: ProviderSignIn; readonly mfa: boolean } {
  const { type: method, issuer, sessionHours, secondFactor } = provider;
  const endsAt = Math.min(now + sessionHours * HOUR_MS, account.expiresAt ?? Infinity);
  const mfa = secondFactor === "provider" || (secondFactor === "amr" && account.secondFactor);
  return { via: { method, issuer, idpSession: account.idpSession ?? null, endsAt }, mfa };
}

interface Opening {
  readonly user: UserRow;
  readonly secondFactors: readonly SecondFactor[];
  readonly via: ProviderSignIn;
  readonly mfa: boolean;
  readonly guards: readonly Guard[];
  readonly statements: readonly Statement[];
}

/** Starts the session, or asks for the second factor if the user has one and the provider had none. */
export async function openSession(ctx: Visitor, opening: Opening): Promise<NewSession | FirstStep> {
  const { user, secondFactors, via, mfa, guards, statements } = opening;
  const hasMfa = secondFactors.length > 0;
  if (!hasMfa || mfa)
    return startSession(ctx, user, { hasMfa, via, providerMfa: mfa, guards, statements });
  await asUser(ctx, user).commit({
    guards,
    statements,
    audit: aboutUser("session.first-step", user.id),
  });
  const claims = { userId: user.id, passwordDigest: await digestOfPassword(user), via };
  return { mfaToken: await signMfaToken(ctx.tokens, claims, ctx.now()), secondFactors };
}
