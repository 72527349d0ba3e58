import { Secret, TOTP } from "otpauth";
import { signMfaToken } from "../../../src/management/auth/jwt.ts";
import { call } from "./client.ts";
import { TOKENS } from "./people.ts";
import { signedIn } from "./sessions.ts";

/** The TOTP code that an authenticator app with this secret shows now. */
export const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Creates a user who has enrolled a second factor but not activated it. */
export async function enrolled() {
  const { id, token } = await signedIn("VIEWER");
  const answer = await call("POST", "/api/v1/auth/mfa/enroll", { token });
  if (answer.status !== 200) throw new Error(`enroll: ${answer.status}`);
  return { id, token, secret: answer.body.secret as string };
}

/** Creates a user with an active second factor. Returns a recovery code and an MFA token, too. */
export async function withSecondFactor() {
  const { id, token, secret } = await enrolled();
  const body = { code: codeOf(secret) };
  const answer = await call("POST", "/api/v1/auth/mfa/activate", { token, body });
  if (answer.status !== 200) throw new Error(`activate: ${answer.status}`);
  const mfaToken = await signMfaToken(TOKENS, id, Date.now());
  return { id, token, mfaToken, code: answer.body.recoveryCodes[0] as string };
}
