import { Buffer } from "node:buffer";
import { z } from "@hono/zod-openapi";
import { base64url, sha256 } from "../../core/lib/digest.ts";
import type { ApiError } from "../../core/errors/api-error.ts";
import type { Statement } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { CHALLENGE_SECONDS, isChallengeFor, signChallenge } from "../../access/jwt.ts";
import type { Visitor } from "../../access/call.ts";
import { insertCode, isFirstUse } from "../../model/sign-on/queries.ts";
import { relyingPartyOf } from "./relying-party.ts";

/** How long a person may take at the authenticator, milliseconds. */
export const CHALLENGE_MS = CHALLENGE_SECONDS * 1000;

type ChallengeContext = Pick<Visitor, "now" | "tokens" | "publicUrl">;

/** What a challenge counts for. A response to the challenge of another purpose is refused. */
export const PURPOSES = {
  /** To add a passkey in a session. */
  add: (sessionId: string) => `add ${sessionId}`,
  signIn: () => "sign-in",
  /** To complete the sign-in of an MFA token. */
  secondFactor: async (mfaToken: string) => `second-factor ${await sha256(mfaToken)}`,
};

/** Returns a challenge for the browser, base64url. */
export async function newChallenge(ctx: ChallengeContext, purpose: string): Promise<string> {
  const challenge = await signChallenge(ctx.tokens, purpose, ctx.now());
  return base64url(new TextEncoder().encode(challenge));
}

/** The part of the client data (Web Authentication, section 5.8.1) that is checked here. */
const clientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() });

/** A valid challenge to which a browser has responded, base64url, and what marks it as used. */
interface OpenedChallenge {
  readonly challenge: string;
  /** Commits with the change that the response permits. The guard fails at the second use. */
  readonly use: (error: ApiError) => { readonly guard: Guard; readonly statement: Statement };
}

/**
 * Returns the challenge in the client data of a response. Undefined if the client data is malformed or
 * from a page in a frame of another site, or if the challenge has expired or is of another purpose.
 */
export async function openChallenge(
  ctx: ChallengeContext,
  purpose: string,
  clientDataJSON: string,
): Promise<OpenedChallenge | undefined> {
  const read = clientData.safeParse(parsed(clientDataJSON));
  if (!read.success || read.data.crossOrigin === true) return undefined;
  const { challenge } = read.data;
  const token = Buffer.from(challenge, "base64url").toString();
  if (!(await isChallengeFor(ctx.tokens, purpose, { challenge: token, now: ctx.now() })))
    return undefined;
  const hash = await sha256(`passkey ${token}`);
  const code = { hash, issuer: relyingPartyOf(ctx).origin, expiresAt: ctx.now() + CHALLENGE_MS };
  return {
    challenge,
    use: (error) => ({
      guard: { holds: isFirstUse(hash), error },
      statement: insertCode(null, code),
    }),
  };
}

function parsed(clientDataJSON: string): unknown {
  try {
    return JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
  } catch {
    return undefined;
  }
}
