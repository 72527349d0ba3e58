import { isThisMachine, publicHostError } from "../webhooks/url.ts";

export const GITHUB_ISSUER = "https://github.com/login/oauth";

const MAX_LENGTH = 500;

/** The host of the issuers of Microsoft Entra ID. */
const ENTRA_HOST = "login.microsoftonline.com";

/**
 * The path of an issuer of Entra ID for one tenant. The other issuers, such as `common`, accept the
 * users of every tenant.
 */
const ENTRA_TENANT = /^\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0\/?$/i;

/** Whether an issuer belongs to Microsoft Entra ID. */
export const isEntra = (issuer: string): boolean =>
  URL.canParse(issuer) && new URL(issuer).hostname === ENTRA_HOST;

/**
 * Returns why the service must not send a request about a sign-in to a URL, as the end of a
 * sentence; undefined if it may. `allowHttp` also permits http to this machine.
 */
export function providerUrlError(text: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(text)) return "must be an absolute URL";
  if (allowHttp && isThisMachine(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  return publicHostError(url);
}

/** Returns why an issuer is not allowed, as the end of a sentence; undefined if it is allowed. */
export function issuerError(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const error = providerUrlError(text, allowHttp);
  if (error !== undefined) return error;
  if (/[?#]/.test(text)) return "must have neither a query nor a fragment";
  return isEntra(text) && !ENTRA_TENANT.test(new URL(text).pathname)
    ? "must name the tenant by its id, such as https://login.microsoftonline.com/{tenant id}/v2.0"
    : undefined;
}
