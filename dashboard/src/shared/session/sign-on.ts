import { ApiError } from "../api/api-error.ts";
import type { publicApi } from "../api/public-client.ts";
import { dataOf } from "../api/response.ts";
import type { Schemas } from "../api/types.ts";
import { every } from "../every.ts";
import { parseOneOf } from "../parse-search-params.ts";
import { shortPath } from "./long-request.ts";

/** Why a sign-in at an identity provider did not succeed, in the words of the service. */
export type SignOnProblem = NonNullable<ApiError["problem"]>;

const PROBLEMS = every<SignOnProblem>()([
  "denied",
  "expired",
  "not-invited",
  "not-verified",
  "domain",
  "disabled",
  "link-first",
  "conflict",
  "no-role",
  "quota",
  "provider",
  "unreachable",
  "misconfigured",
]);

/** Returns the problem that a URL or a response names, and undefined for any other text. */
export const parseProblem = (word: unknown): SignOnProblem | undefined =>
  parseOneOf(PROBLEMS, word);

export type SignOnOption = Schemas["SignOnOption"];

/**
 * Returns the path of the open page, to which the browser returns from a provider. It does not name
 * the outcome of an earlier visit.
 */
export function openPath(): string {
  const url = new URL(location.href);
  for (const outcome of ["signOn", "problem"]) url.searchParams.delete(outcome);
  return shortPath(url);
}

/**
 * Leaves the dashboard for the sign-in page of an identity provider. `client` is the API client
 * without a session for a sign-in, and the one with a session for other intents.
 * Throws: ApiError, for example 503 if the provider does not respond.
 */
export async function goToProvider(
  client: typeof publicApi,
  slug: string,
  body: Schemas["BeginSignOn"],
): Promise<void> {
  const call = client.POST("/api/v1/auth/sign-on/{slug}", { params: { path: { slug } }, body });
  location.assign((await dataOf(call)).url);
}

/**
 * Sends the assertion that Cloudflare Access has added to the request, which needs no redirect.
 * `client` is the one of `goToProvider`. Throws: ApiError 401 for an assertion that is not valid, 403
 * for an account that the service refuses.
 */
export const sendAssertion = (
  client: typeof publicApi,
  slug: string,
  body: Schemas["SignOnAssertion"],
) =>
  dataOf(
    client.POST("/api/v1/auth/sign-on/{slug}/assertion", {
      params: { path: { slug } },
      body,
    }),
  );

/** Returns why an assertion is refused; undefined for any other error. */
export const refusalIn = (error: unknown): SignOnProblem | undefined =>
  error instanceof ApiError ? error.problem : undefined;
