const MAX_LENGTH = 2_000;

/** The hosts of this machine. A native application listens there for the response (RFC 8252). */
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a redirect URI leads to an application on the user's machine. */
export const isLoopback = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK_HOSTS.has(hostname);
};

/**
 * Returns why a URI is no redirect URI, as the end of a sentence; undefined if it is one. The MCP
 * specification allows only https and this machine.
 */
export function redirectUriError(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!URL.canParse(text)) return "must be an absolute URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  if (text.includes("#")) return "must not have a fragment";
  return url.protocol === "https:" || isLoopback(text)
    ? undefined
    : "must begin with https://, or with http:// and the host localhost, 127.0.0.1 or [::1]";
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/**
 * Whether a redirect URI of a request is one that the client has registered. Both must be equal. Only
 * the port of an application on the user's machine may differ, because the operating system chooses it
 * (RFC 8252 section 7.3). Both are redirect URIs without an error.
 */
export const isRegistered = (registered: string, requested: string): boolean =>
  registered === requested ||
  (isLoopback(registered) &&
    isLoopback(requested) &&
    withoutPort(registered) === withoutPort(requested));

/** Returns the redirect URI with the parameters of an authorisation response. */
export function withResponse(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}
