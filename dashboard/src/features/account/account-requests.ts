import { queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import { goToProvider, sendAssertion, type SignOnOption } from "../../shared/session/sign-on.ts";

/** The accounts at identity providers that are linked to the signed-in user, and the providers. */
export const accountsQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: async ({ signal }) => {
    const [identities, options] = await Promise.all([
      dataOf(api.GET("/api/v1/auth/me/identities", { signal })),
      dataOf(api.GET("/api/v1/auth/sign-on", { signal })),
    ]);
    return { identities, options };
  },
});

/**
 * Links an account at a provider to the signed-in user. Leaves the dashboard for the provider, which
 * sends the browser back to the profile. Returns "linked" for Cloudflare Access, which needs no
 * redirect.
 * Throws: ApiError.
 */
export async function linkAccount({ slug, type }: SignOnOption): Promise<"linked" | "redirected"> {
  const intent = "link";
  if (type !== "access") {
    await goToProvider(api, slug, { intent, returnTo: "/profile" });
    return "redirected";
  }
  await sendAssertion(api, slug, intent);
  return "linked";
}

/** Throws: ApiError 409 if the user could not sign in without the account. */
export const unlinkAccount = (identityId: string) =>
  api.DELETE("/api/v1/auth/me/identities/{identityId}", { params: { path: { identityId } } });
