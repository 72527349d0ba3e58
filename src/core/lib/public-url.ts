/** Matches the host names of a URL that lead to this machine (loopback). */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns why a base URL for links in e-mails is not allowed, as the end of a sentence such as
 * "must be an https URL"; undefined if it is allowed. Plain http is allowed only for this machine.
 * For any other host, people on the network could read the token in the link.
 */
export function publicUrlError(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  return isAllowed ? undefined : "must be an https URL, such as https://flags.example.com";
}

/**
 * Returns the origin of a request's URL if its host is this machine, as with `npm start`; otherwise
 * undefined. The caller of a public service chooses the host of a request, so a link must not contain it.
 */
export function loopbackOrigin(requestUrl: string): string | undefined {
  const { origin, hostname } = new URL(requestUrl);
  return LOOPBACK.test(hostname) ? origin : undefined;
}
