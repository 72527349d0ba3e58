import type { publicApi } from "../api/public-client.ts";
import { dataOf } from "../api/response.ts";
import type { Schemas } from "../api/types.ts";

/** The words with which the service says why a sign-in at an identity provider did not succeed. */
const PROBLEMS = [
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
] as const;

export type SignOnProblem = (typeof PROBLEMS)[number];

/** Returns the problem that a URL or a response names, and undefined for any other text. */
export const parseProblem = (word: unknown): SignOnProblem | undefined =>
  PROBLEMS.find((problem) => problem === word);

export type SignOnOption = Schemas["SignOnOption"];

/** Returns the path of the open page, to which a sign-in returns. */
export const openPath = (): string => `${location.pathname}${location.search}${location.hash}`;

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
