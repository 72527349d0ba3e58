import { parseProblem, type SignOnProblem } from "../shared/session/sign-on.ts";

/** How the browser comes back from an identity provider: to complete a sign-in, or with a problem. */
export type SignOnReturn = { kind: "complete" } | { kind: "problem"; problem: SignOnProblem };

/**
 * Reads from the URL of the browser tab how a sign-in at an identity provider went, and replaces the
 * URL by the one of the dashboard. Returns null for any other URL.
 */
export function consumeSignOnReturn(): SignOnReturn | null {
  const { pathname, search } = location;
  if (pathname !== "/sign-in" && pathname !== "/sign-in/complete") return null;
  history.replaceState(null, "", "/");
  if (pathname === "/sign-in/complete") return { kind: "complete" };
  const word = new URLSearchParams(search).get("problem");
  return word === null ? null : { kind: "problem", problem: parseProblem(word) ?? "provider" };
}
