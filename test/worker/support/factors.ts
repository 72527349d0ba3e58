import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { hashPassword } from "../../../src/access/password.ts";
import { cheapKey } from "./hashers.ts";
import { signMfaToken } from "../../../src/access/jwt.ts";
import { call } from "./client.ts";
import { PASSWORD } from "./mailbox.ts";
import { TOKENS } from "./people.ts";
import { signedIn } from "./sessions.ts";

/** The TOTP code that an authenticator app with this secret shows now. */
export const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate();

let passwordHash: Promise<string> | undefined;

/**
 * Creates a user with a session and the password `PASSWORD`, which is hashed only once, because
 * hashing is slow.
 */
export async function signedInWithPassword() {
  passwordHash ??= hashPassword(cheapKey, PASSWORD);
  const one = await signedIn("VIEWER");
  const hash = await passwordHash;
  await env.DB.prepare("UPDATE users SET password_hash = ? WHERE id = ?").bind(hash, one.id).run();
  return { ...one, passwordHash: hash };
}

/** Creates a user who has enrolled a second factor but not activated it. */
export async function enrolled() {
  const { id, token, passwordHash: hash } = await signedInWithPassword();
  const body = { currentPassword: PASSWORD };
  const answer = await call("POST", "/api/v1/auth/mfa/enroll", { token, body });
  if (answer.status !== 200) throw new Error(`enroll: ${answer.status}`);
  return { id, token, passwordHash: hash, secret: answer.body.secret as string };
}

/** Creates a user with an active second factor. Returns a recovery code and an MFA token, too. */
export async function withSecondFactor() {
  const { id, token, passwordHash: hash, secret } = await enrolled();
  const body = { code: codeOf(secret) };
  const answer = await call("POST", "/api/v1/auth/mfa/activate", { token, body });
  if (answer.status !== 200) throw new Error(`activate: ${answer.status}`);
  const claims = { userId: id, passwordDigest: await sha256(hash) };
  const mfaToken = await signMfaToken(TOKENS, claims, Date.now());
  return { id, token, mfaToken, code: answer.body.recoveryCodes[0] as string };
}
