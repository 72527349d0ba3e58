import { errors, jwtVerify } from "jose";
import { type Account, type Claims, groupsIn } from "../../core/sign-on/account.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { isObject } from "../../core/lib/is-object.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { providerFault, SignOnError } from "../../core/errors/sign-on-problem.ts";
import { ACCESS_KEYS, type Client, MAX_AHEAD_S, TOLERANCE_S } from "./discovery.ts";
import { withKeys } from "./provider-keys.ts";

const KEYS_MS = 10 * MINUTE_MS;

/**
 * Returns the account of an assertion of Cloudflare Access: the header `Cf-Access-Jwt-Assertion`,
 * which Access adds to each request that it lets through. Throws: `SignOnError` for an assertion that
 * is not valid, or is the one of a service token, which names no person.
 */
export async function accessAccount(client: Client, assertion: string): Promise<Account> {
  const { provider, allowHttp, now } = client;
  const { issuer } = provider;
  const claims: Claims = await withKeys(
    { uri: `${issuer}${ACCESS_KEYS}`, allowHttp, maxAgeMs: KEYS_MS, now },
    async (keys) => {
      const { payload } = await jwtVerify(assertion, keys, {
        issuer,
        audience: provider.clientId,
        algorithms: ["RS256"],
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(now),
        requiredClaims: ["sub", "iat", "exp"],
      });
      if ((payload.iat ?? 0) > now / 1000 + MAX_AHEAD_S)
        throw providerFault("The assertion was issued in the future");
      return payload;
    },
  ).catch((error: unknown) => {
    if (error instanceof SignOnError) throw error;
    if (error instanceof errors.JOSEError) throw providerFault(`${error.code}: ${error.message}`);
    throw error;
  });
  const { sub, email, exp, custom } = claims;
  if (typeof sub !== "string" || sub === "") throw providerFault("The assertion names no person");
  return {
    subject: sub,
    email: typeof email === "string" ? normalizeEmail(email) : undefined,
    emailProved: true,
    hostedDomain: undefined,
    name: undefined,
    // Access passes on the claims of its identity provider in `custom`.
    groups: groupsIn(provider, claims, isObject(custom) ? custom : {}),
    secondFactor: false,
    idpSession: undefined,
    authTime: undefined,
    expiresAt: Number(exp) * 1000,
  };
}
