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
