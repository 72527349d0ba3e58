import { providerUrlError } from "../sign-on/issuer.ts";

const MAX_LENGTH = 500;

/** Whether a client id is the URL of a metadata document, and not the id of a registered client. */
export const isDocumentUrl = (clientId: string): boolean => /^https?:\/\//i.test(clientId);

/**
 * Returns why a URL cannot be a client id, as the end of a sentence; undefined if it can (OAuth Client ID
 * Metadata Document, section 3). `allowHttp` also permits http to this machine.
 */
export function clientIdError(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const error = providerUrlError(text, allowHttp);
  if (error !== undefined) return error;
  if (text.includes("#")) return "must not have a fragment";
  const { pathname, href } = new URL(text);
  if (pathname === "/") return "must have a path";
  // Clients are compared as texts. Another spelling of the same URL would be another client.
  return href === text ? undefined : `must be written as ${href}`;
}

/** The most characters of a host, so that the name beside it is seen, too. */
const MAX_HOST = 40;

/**
 * Returns how the audit trail names an OAuth client. The name is a claim of the client. If the client
 * publishes a metadata document, the host of the document comes first, because that is checked. Of a long
 * host, the end counts, because that is its registered domain.
 */
export function clientText({
  clientId,
  name,
}: {
  readonly clientId: string;
  readonly name: string;
}): string {
  if (!isDocumentUrl(clientId)) return name;
  const { host } = new URL(clientId);
  if (name === host) return host;
  const shownHost = host.length > MAX_HOST ? `…${host.slice(1 - MAX_HOST)}` : host;
  return `${shownHost} (${name})`;
}
