import { hasStatus } from "../../shared/api/api-error.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import { dataOf } from "../../shared/api/response.ts";
import { refusalIn, sendAssertion, type SignOnOption } from "../../shared/session/sign-on.ts";
import { receive, type SignInStart } from "./sign-in.ts";

/** How users can sign in. */
export interface WaysToSignIn {
  readonly options: readonly SignOnOption[];
  /** Whether only administrators with an emergency password may use a password. */
  readonly passwordsAreOff: boolean;
}

/** Returns how users can sign in. Throws: ApiError. */
export async function waysToSignIn(): Promise<WaysToSignIn> {
  const { data = [], response } = await publicApi.GET("/api/v1/auth/sign-on");
  const passwordsAreOff = response.headers.get("X-Password-Sign-In") === "breakGlass";
  return { options: data, passwordsAreOff };
}

/** Returns what the sign-in page shows; empty if the user is signed in. */
const startOf = (result: ReturnType<typeof receive>): SignInStart =>
  result === "signed-in" ? {} : result;

interface Completed {
  readonly start: SignInStart;
  /** The path of the dashboard to which the browser goes. */
  readonly returnTo: string;
}

/**
 * Completes a sign-in after an identity provider has sent the browser back.
 * Throws: ApiError.
 */
export async function completeSignOn(): Promise<Completed> {
  try {
    const response = await dataOf(publicApi.POST("/api/v1/auth/sign-on/complete", { body: {} }));
    return { start: startOf(receive(response)), returnTo: response.returnTo };
  } catch (error) {
    if (hasStatus(error, 401)) return { start: { notice: "problems.expired" }, returnTo: "/" };
    throw error;
  }
}

/**
 * Signs in behind Cloudflare Access, which has already asked the user and needs no redirect.
 * Throws: ApiError.
 */
export async function signInBehindAccess(slug: string): Promise<SignInStart> {
  try {
    const response = await sendAssertion(publicApi, slug, { intent: "signIn" });
    // Only other intents have a response without a session.
    return "intent" in response ? {} : startOf(receive(response));
  } catch (error) {
    if (!hasStatus(error, 401, 403)) throw error;
    return { notice: `problems.${refusalIn(error) ?? "provider"}` };
  }
}
