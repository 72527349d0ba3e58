import ipaddr from "ipaddr.js";

/** The endings of host names that private networks use, with those of RFC 6761, 6762 and 8375. */
const PRIVATE_ZONE =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** The endings of host names that resolve nowhere (RFC 6761, 7686 and 9476). */
const NOWHERE_ZONE = /(?:^|\.)(?:test|invalid|onion|alt)\.*$/;

/** Matches http URLs of this machine. Only `allowHttp` permits such URLs, for development. */
const THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

/**
 * A host name with an empty label, such as `localhost..` or `example.com.`. DNS ignores one dot at
 * the end, but receivers and certificates compare names without it.
 */
const EMPTY_LABEL = /^\.|\.\.|\.$/;

/**
 * The IPv6 range from which IANA assigns public addresses (RFC 4291 section 2.4). An IPv4 address
 * in IPv6 form, such as `::127.0.0.1`, is outside of this range.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** The maximum length of a webhook URL, characters. */
const MAX_LENGTH = 2_000;

/**
 * Returns why the service must not call a URL as a webhook; undefined if it may. The reason is the end of a
 * sentence, such as "must begin with https://". `allowHttp` permits http, also to this machine. The host is
 * checked after URL parsing, which turns all spellings of an IP address into one form.
 */
export function webhookUrlError(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!URL.canParse(text)) return "must be an absolute URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:"))
    return allowHttp
      ? "must begin with https:// or http://"
      : "must begin with https://. For local tests, start the service with --var WEBHOOK_ALLOW_HTTP:true";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  if (allowHttp && isThisMachine(text)) return undefined;
  return publicHostError(url);
}

/** Whether a URL is an http URL of this machine. */
export const isThisMachine = (text: string): boolean => THIS_MACHINE.test(text);

/** Returns why the host of a URL is not public, as the end of a sentence; undefined if the host is public. */
export function publicHostError({ hostname }: URL): string | undefined {
  if (NOWHERE_ZONE.test(hostname)) return "must have a host name that exists in the public DNS";
  if (isPrivateHost(hostname)) return "must not point at a loopback, private or link-local address";
  return EMPTY_LABEL.test(hostname)
    ? "must have a host name without empty parts and without a dot at the end"
    : undefined;
}

/**
 * Returns whether a host is not public: a private name, a name without a dot, or an address outside
 * of the public ranges.
 * @param hostname the host of a parsed URL: lower case, IPv4 in dotted decimals, IPv6 in brackets
 */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.+$/, "").replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(host)) return !host.includes(".") || PRIVATE_ZONE.test(host);
  const address = ipaddr.process(host);
  const isNotGlobal = address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6);
  return isNotGlobal || address.range() !== "unicast";
}
