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
