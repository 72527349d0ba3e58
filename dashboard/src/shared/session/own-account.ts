import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { read } from "../api/request.ts";
import { dataOf } from "../api/response.ts";
import { goToProvider, openPath, sendAssertion, type SignOnOption } from "./sign-on.ts";

/** The signed-in user: whether there is a password, and until when a confirmation replaces it. */
export const ownAccountQuery = read("/api/v1/auth/me");

/** The accounts at identity providers that are linked to the signed-in user, and the providers. */
export const accountsQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: async ({ signal }) => {
    const [identities, options] = await Promise.all([
      dataOf(api.GET("/api/v1/auth/me/identities", { signal })),
      dataOf(api.GET("/api/v1/auth/sign-on", { signal })),
    ]);
    const isLinked = ({ slug }: SignOnOption) =>
      identities.some(({ provider }) => provider?.slug === slug);
    return {
      identities,
      linked: options.filter(isLinked),
      unlinked: options.filter((option) => !isLinked(option)),
    };
  },
});

/**
 * Lets an identity provider do something for the signed-in user. Leaves the dashboard for the provider,
 * which sends the browser back to the open page with the outcome in its URL. Returns "done" for
 * Cloudflare Access, which needs no redirect.
 * Throws: ApiError, for a link also 400 if the user must confirm it with the password.
 */
export async function visitProvider(
  { slug, type }: SignOnOption,
  errand: { intent: "link" | "confirm"; currentPassword?: string },
): Promise<"done" | "redirected"> {
  if (type !== "access") {
    await goToProvider(api, slug, { ...errand, returnTo: openPath() });
    return "redirected";
  }
  await sendAssertion(api, slug, errand);
  return "done";
}

/**
 * Returns the part of a request that confirms a change: without the password if it is empty, because
 * an identity provider has confirmed the user.
 */
export const confirmationOf = (currentPassword: string): { currentPassword?: string } =>
  currentPassword === "" ? {} : { currentPassword };
