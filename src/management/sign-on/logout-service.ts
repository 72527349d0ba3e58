import { ApiError } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { SignOnError } from "../../core/errors/sign-on-problem.ts";
import { aboutUser } from "../../db/audit.ts";
import { asSystem, type Visitor } from "../../access/call.ts";
import { clientOf, logFault } from "./client.ts";
import { LOGOUT_TOKEN_MS, readLogoutToken } from "./logout-token.ts";
import { findProvider, unknownProvider } from "./providers.ts";
import * as queries from "../../model/sign-on/queries.ts";

const badLogout = () => new ApiError("BAD_REQUEST", "The logout token is not valid");

/**
 * Ends the sessions that a provider's logout token names. Throws: 404 for an unknown provider, 400 for
 * a token that is not valid or was used before.
 */
export async function endProviderSessions(
  ctx: Visitor,
  { slug, token }: { readonly slug: string; readonly token: string },
): Promise<void> {
  const found = await findProvider(ctx, slug);
  if (found?.provider.type !== "oidc") throw unknownProvider();
  const client = await clientOf(ctx, found);
  const logout = await readLogoutToken(client, token).catch((error: unknown) => {
    if (!(error instanceof SignOnError)) throw error;
    logFault(ctx, slug, error);
    throw badLogout();
  });
  const { issuer, tokenId } = logout;
  const userId = (await queries.findLoggedOutUser(ctx.db, logout)) ?? null;
  await asSystem(ctx, "sign-on").commit({
    statements: [
      // A token that was used before violates the primary key.
      queries.insertCode(null, {
        hash: await sha256(`logout ${issuer} ${tokenId}`),
        issuer,
        expiresAt: ctx.now() + 2 * LOGOUT_TOKEN_MS,
      }),
      queries.endLoggedOut(logout),
    ],
    audit: aboutUser("session.provider-logout", userId, { after: { provider: slug } }),
    onDuplicate: badLogout(),
  });
}
