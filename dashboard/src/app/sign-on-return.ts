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

/** The page at which OAuth clients send the browser (RFC 6749 section 3.1). */
const PAGE = "/authorize";

/**
 * Puts the query of an authorisation request into one parameter of the page. The router would read and
 * write the values as JSON, so that a state such as `0123` or `1e3` could change.
 */
export function keepAuthorizationQuery(): void {
  const { pathname, search } = location;
  if (pathname !== PAGE || search === "" || new URLSearchParams(search).has("request")) return;
  history.replaceState(null, "", `${PAGE}?request=${encodeURIComponent(search.slice(1))}`);
}
