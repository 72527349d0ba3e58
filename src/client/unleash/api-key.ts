import { bearerToken } from "../../http/access.ts";

/**
 * Returns the API key in the headers of an Unleash SDK; undefined if there is none. SDKs send the key
 * alone in `Authorization`, and some check that a token has the form `*:production.<secret>`. So the
 * part after the last dot counts; a key of this service has no dot.
 */
export function unleashKey(headers: Headers): string | undefined {
  const header = headers.get("Authorization");
  const token = header === null ? headers.get("X-API-Key") : (bearerToken(header) ?? header.trim());
  return token === null ? undefined : token.slice(token.lastIndexOf(".") + 1);
}
