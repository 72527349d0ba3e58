import { ApiError } from "../../core/errors/api-error.ts";
import { randomToken, sha256 } from "../../core/lib/digest.ts";
import { lazily } from "../../core/lib/lazily.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import type { Provider } from "../../core/sign-on/provider.ts";
import { safeReturnTo, withParameter } from "../../core/sign-on/return-to.ts";
import type { FirstStep, NewSession } from "../../workflows/sign-in/sign-in.ts";
import type { Visitor } from "../../access/call.ts";
import { assertPublicUrl } from "../../mail/mails.ts";
import { acceptSignIn, type SignIn } from "./accept.ts";
import { clientOf, logFault, providerFor } from "./client.ts";
import { type Flow, openFlow, sealFlow } from "./flow.ts";
import { type Beginning, ownerOf, runIntent } from "./intents.ts";
import type { Attempt } from "./discovery.ts";
import { openSession, signOnEnded, viaOf } from "./opening.ts";
import { callbackUrl, findProvider } from "./providers.ts";
import * as queries from "../../model/sign-on/queries.ts";

/** How long the code that completes a sign-in is valid, milliseconds. */
export const CODE_MS = MINUTE_MS;

// Loaded when the first user signs in, because running them would make every start of an isolate slower.
const github = lazily(() => import("./github.ts"));
const oidc = lazily(() => import("./oidc.ts"));

const UNAVAILABLE =
  "The identity provider does not respond, or its configuration is not valid; try again, then ask an administrator";

/** Returns how to sign in at a provider. */
async function protocolOf({ type }: Provider) {
  if (type === "github") {
    const { githubAccount, githubUrl } = await github();
    return { urlOf: githubUrl, accountOf: githubAccount };
  }
  const { oidcAccount, oidcUrl } = await oidc();
  return { urlOf: oidcUrl, accountOf: oidcAccount };
}

/**
 * Begins a sign-in. Returns the URL at the provider, and the flow that the browser keeps. Throws: 404
 * for an unknown provider, 400 for Cloudflare Access, 503 if `PUBLIC_URL` is missing, or the
 * provider does not respond or has a configuration that is not valid; the errors of `ownerOf`.
 */
export async function beginSignOn(
  ctx: Visitor,
  input: Beginning & {
    readonly slug: string;
    readonly returnTo?: string | undefined;
    readonly invitation?: string | undefined;
  },
): Promise<{ readonly url: string; readonly state: string; readonly sealed: string }> {
  const { slug, intent } = input;
  const session = await ownerOf(ctx, input);
  const found = await providerFor(ctx, slug, intent);
  if (found.provider.type === "access")
    throw new ApiError(
      "BAD_REQUEST",
      "Cloudflare Access needs no redirect; send POST /api/v1/auth/sign-on/{slug}/assertion",
    );
  const attempt: Attempt = {
    redirectUri: callbackUrl(assertPublicUrl(ctx), slug),
    state: randomToken(32),
    nonce: randomToken(32),
    verifier: randomToken(32),
    again: intent === "confirm",
  };
  const { state, nonce, verifier } = attempt;
  const { urlOf } = await protocolOf(found.provider);
  const url = await urlOf(await clientOf(ctx, found), attempt).catch((error: unknown) => {
    if (!(error instanceof SignOnError)) throw error;
    logFault(ctx, slug, error);
    // Only the administrator who tests the provider sees the cause.
    const words = intent === "test" ? error.message : UNAVAILABLE;
    throw new ApiError("SERVICE_UNAVAILABLE", words, { problem: error.problem });
  });
  const sealed = await sealFlow(ctx.vault, {
    slug,
    state,
    nonce,
    verifier,
    intent,
    returnTo: safeReturnTo(input.returnTo),
    startedAt: ctx.now(),
    session,
    invitation: input.invitation === undefined ? undefined : await sha256(input.invitation),
  });
  return { url, state, sealed };
}

/** Where the browser goes after a callback. `code` completes a sign-in. */
export interface Continuation {
  readonly location: string;
  readonly code?: string;
}

/**
 * Continues a flow when the provider has sent the browser back. Returns where the browser goes: to the
 * page that completes the sign-in, to the page that began the flow, or to a page with a problem.
 */
export async function continueSignOn(
  ctx: Visitor,
  input: {
    readonly slug: string;
    readonly cookie: string | undefined;
    /** The query of the callback, with its question mark. */
    readonly query: string;
  },
): Promise<Continuation> {
  let flow: Flow | undefined;
  try {
    const parameters = new URLSearchParams(input.query);
    const state = parameters.get("state") ?? "";
    flow = await openFlow(ctx.vault, { ...input, state }, ctx.now());
    if (parameters.get("error") === "access_denied") throw new SignOnError("denied");
    return await finish(ctx, flow, input.query);
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    if (error.problem === "provider") logFault(ctx, input.slug, error);
    return { location: withParameter(pageOf(flow), "problem", error.shown) };
  }
}

/** The page that shows the problem of a flow: the one that began it, or the sign-in page. */
const pageOf = (flow: Flow | undefined): string => (flow?.session ? flow.returnTo : "/sign-in");

async function finish(ctx: Visitor, flow: Flow, query: string): Promise<Continuation> {
  const { slug, intent, state, nonce, verifier, returnTo, session, invitation } = flow;
  const found = await findProvider(ctx, slug);
  if (!found) throw new SignOnError("expired");
  const client = await clientOf(ctx, found);
  const redirectUri = callbackUrl(assertPublicUrl(ctx), slug);
  const attempt = { redirectUri, state, nonce, verifier, again: intent === "confirm" };
  const { accountOf } = await protocolOf(found.provider);
  const account = await accountOf(client, attempt, new URL(`${redirectUri}${query}`));
  const signIn: SignIn = { provider: found.provider, account, invitation };
  if (session) {
    await runIntent(ctx, signIn, { intent, owner: session, startedAt: flow.startedAt });
    return { location: withParameter(returnTo, "signOn", intent) };
  }
  const code = randomToken(32);
  const row = { hash: await sha256(code), returnTo, expiresAt: ctx.now() + CODE_MS };
  const { via, mfa } = viaOf(signIn, ctx.now());
  await acceptSignIn(ctx, signIn, (userId) => [
    queries.insertCode(userId, { ...row, ...via, mfa }),
  ]);
  return { location: "/sign-in/complete", code };
}

/** The result of a completed sign-in, and the path to which the dashboard goes. */
export type Completed = (NewSession | FirstStep) & { readonly returnTo: string };

/**
 * Completes a sign-in with the code of the callback, which works once. Throws: 401 for an unknown,
 * expired or used code, and for a user who is not active any more.
 */
export async function completeSignOn(
  ctx: Visitor,
  { code }: { readonly code: string | undefined },
): Promise<Completed> {
  if (code === undefined) throw signOnEnded();
  const hash = await sha256(code);
  const found = await queries.findCode(ctx.db, hash, ctx.now());
  if (found?.user.status !== "ACTIVE") throw signOnEnded();
  const { user, secondFactors } = found;
  const { method, issuer, idpSession, mfa, endsAt, returnTo } = found.code;
  if (method === null || endsAt === null) throw signOnEnded();
  const via = { method, issuer, idpSession, endsAt };
  const session = await openSession(ctx, {
    user,
    secondFactors,
    via,
    mfa,
    guards: [{ holds: queries.codeIsUnused(hash), error: signOnEnded() }],
    statements: [queries.deleteCode(hash)],
  });
  return { ...session, returnTo: returnTo ?? "/" };
}
