import { ApiError, unauthorized } from "../../core/errors/api-error.ts";
import type { Account } from "../../core/sign-on/account.ts";
import { type Problem, SignOnError } from "../../core/errors/sign-on-problem.ts";
import { findSignInById } from "../../model/auth/queries.ts";
import type { FirstStep, NewSession } from "../../workflows/sign-in/sign-in.ts";
import type { Visitor } from "../../access/call.ts";
import { acceptSignIn, type SignIn } from "./accept.ts";
import { accessAccount } from "./access.ts";
import { clientOf, logFault, providerFor } from "./client.ts";
import { type Beginning, ownerOf, runIntent } from "./intents.ts";
import { openSession, signOnEnded, viaOf } from "./opening.ts";
import { type FoundProvider, unknownProvider } from "./providers.ts";

/** Why Cloudflare Access does not sign somebody in, for people to read. */
const WORDS: Readonly<Partial<Record<Problem, string>>> = {
  "not-invited": "Nobody has invited this account",
  "not-verified": "The e-mail address of the account is not verified",
  domain: "The domain of the e-mail address is not allowed",
  "link-first": "Sign in with your password, and link the account in your profile",
  conflict: "The user is linked to another account of the provider",
  "no-role": "The account is in no group with a role",
  quota: "The quota of users is used up",
};

/**
 * Signs in with the assertion of Cloudflare Access, or does what another intent is for. Returns
 * undefined for another intent. Throws: 404 for an unknown provider, 401 for an assertion that is
 * not valid and for a user who is not active, 403 if the rules refuse the account; the errors of `ownerOf`.
 */
export async function signInWithAssertion(
  ctx: Visitor,
  input: Beginning & {
    readonly slug: string;
    readonly assertion: string | undefined;
  },
): Promise<NewSession | FirstStep | undefined> {
  const { slug, intent } = input;
  const owner = await ownerOf(ctx, input);
  const found = await providerFor(ctx, slug, intent);
  if (found.provider.type !== "access") throw unknownProvider();
  try {
    const account = await proved(ctx, found, input.assertion);
    const signIn: SignIn = { provider: found.provider, account };
    if (owner) {
      await runIntent(ctx, signIn, { intent, owner, startedAt: ctx.now() });
      return undefined;
    }
    const user = await findSignInById(ctx.db, await acceptSignIn(ctx, signIn));
    if (user?.user.status !== "ACTIVE") throw signOnEnded();
    const begins = viaOf(signIn, ctx.now());
    return await openSession(ctx, { ...user, ...begins, guards: [], statements: [] });
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    const { problem } = error;
    if (problem === "provider") logFault(ctx, slug, error);
    const words = WORDS[problem];
    if (words !== undefined) throw new ApiError("FORBIDDEN", words, { problem });
    const { code, headers } = unauthorized();
    const why = problem === "disabled" ? "The user is disabled" : "The assertion is not valid";
    throw new ApiError(code, why, { headers, problem });
  }
}

async function proved(
  ctx: Visitor,
  found: FoundProvider,
  assertion: string | undefined,
): Promise<Account> {
  if (assertion === undefined) throw new SignOnError("provider", "The request has no assertion");
  return accessAccount(await clientOf(ctx, found), assertion);
}
