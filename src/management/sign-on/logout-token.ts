import { errors, jwtVerify } from "jose";
import { z } from "@hono/zod-openapi";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { providerFault, SignOnError } from "../../core/errors/sign-on-problem.ts";
import {
  ALGORITHMS,
  type Client,
  KEYS_MS,
  MAX_AHEAD_S,
  metadataOf,
  TOLERANCE_S,
} from "./discovery.ts";
import { withKeys } from "./provider-keys.ts";
import type { LoggedOut } from "../../model/sign-on/queries.ts";

/** How old a logout token may be, milliseconds. */
export const LOGOUT_TOKEN_MS = 5 * MINUTE_MS;

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

const claimsSchema = z
  .object({
    iat: z.number(),
    jti: z.string().min(1),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    // A logout token must not have a nonce, so that nobody uses an ID token in its place.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Returns whom it names,
 * and its id. Throws: `SignOnError` if the token is not valid.
 */
export async function readLogoutToken(
  client: Client,
  token: string,
): Promise<LoggedOut & { readonly tokenId: string }> {
  const { provider, allowHttp, now } = client;
  const metadata = await metadataOf(client);
  try {
    const payload = await withKeys(
      { uri: metadata.jwks_uri, allowHttp, maxAgeMs: KEYS_MS, now },
      async (keys) => {
        const verified = await jwtVerify(token, keys, {
          issuer: metadata.issuer,
          audience: provider.clientId,
          algorithms: [...ALGORITHMS],
          clockTolerance: TOLERANCE_S,
          currentDate: new Date(now),
        });
        return verified.payload;
      },
    );
    const { iat, jti, sub, sid } = claimsSchema.parse(payload);
    const ageMs = now - iat * 1000;
    if (ageMs > LOGOUT_TOKEN_MS || ageMs < -MAX_AHEAD_S * 1000)
      throw providerFault("The logout token is too old, or was issued in the future");
    return { issuer: provider.issuer, idpSession: sid, subject: sub, tokenId: jti };
  } catch (error) {
    if (error instanceof SignOnError) throw error;
    if (error instanceof errors.JOSEError || error instanceof z.ZodError)
      throw providerFault("The logout token is not valid");
    throw error;
  }
}
