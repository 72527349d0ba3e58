import { env } from "cloudflare:workers";
import { randomToken, sha256 } from "../../../src/core/lib/digest.ts";
import { newSecret as newWebhookSecret } from "../../../src/management/integrations/config.ts";
import { newRecoveryCodes, newSecret, otpauthUrl } from "../../../src/management/mfa/totp.ts";
import { signMfaToken } from "../../../src/access/jwt.ts";
import { TOKENS } from "./people.ts";
import { signedIn } from "./sessions.ts";
import { newWorld } from "./world.ts";

/** Values for optional secrets that the other tests do not set. */
export const OPTIONAL = {
  ACTUATOR_TOKEN: "Engine~room.42",
  SERVICE_JWT_SECRET_PREVIOUS: "the secret before, also of 32 bytes or more",
};

/** One secret of every kind that the service handles. */
export async function everySecret() {
  const { id, token: accessToken, refreshToken } = await signedIn("ADMIN");
  const { apiKey } = await newWorld();
  const totpSecret = newSecret();
  return {
    password: 'open "sesame" \\ now/and=then',
    currentPassword: "Tr0ub4dor & 3",
    accessToken,
    refreshToken,
    apiKey,
    mfaToken: await signMfaToken(
      TOKENS,
      { userId: id, passwordDigest: await sha256("") },
      Date.now(),
    ),
    totpCode: "271828",
    totpSecret,
    otpauthUrl: otpauthUrl(totpSecret, "ann@example.com"),
    recoveryCode: newRecoveryCodes()[0] ?? "",
    inviteToken: randomToken(32),
    resetToken: randomToken(32),
    webhookSecret: newWebhookSecret(),
    headerValue: "Team rocket/7 = 9",
    jwtSecret: env.SERVICE_JWT_SECRET,
    encryptionKey: env.SERVICE_ENCRYPTION_KEY,
    previousJwtSecret: OPTIONAL.SERVICE_JWT_SECRET_PREVIOUS,
    actuatorToken: OPTIONAL.ACTUATOR_TOKEN,
    bootstrapPassword: env.BOOTSTRAP_ADMIN_PASSWORD,
  };
}

export type Secrets = Awaited<ReturnType<typeof everySecret>>;
