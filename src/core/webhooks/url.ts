import ipaddr from "ipaddr.js";

/**
 * The last labels of host names that are not public: RFC 6761, 6762, 7686, 8375, 9476, and names
 * that private networks use.
 */
const PRIVATE_ZONE =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion|alt)$/;

/**
 * The beginnings of http URLs that mean this machine. Only `allowHttp` permits them, for
 * development.
 */
const THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?#]|$)/i;

/**
 * The IPv6 range from which IANA assigns public addresses (RFC 4291 section 2.4). `::127.0.0.1` is
 * outside of this range, too.
 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** The most characters of a webhook URL. */
const MAX_LENGTH = 2_000;

/**
 * Returns why a URL must not be called as a webhook, as the rest of a sentence such as "must begin
 * with https://"; undefined when it may be called. `allowHttp` permits http, also to this machine.
 * The host is checked after URL parsing, which turns all spellings of an IP address into one form.
 */
export function webhookUrlError(text: string, allowHttp: boolean): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (!URL.canParse(text)) return "must be an absolute URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:"))
    return allowHttp ? "must begin with https:// or http://" : "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not carry a user name or password";
  if (allowHttp && THIS_MACHINE.test(text)) return undefined;
  return isPrivateHost(url.hostname)
    ? "must not point at a loopback, private or link-local address"
    : undefined;
}

/**
 * Whether a host is not public: a private name, or an address outside of the public ranges.
 * @param hostname the host of a parsed URL: lower case, IPv4 in dotted decimals, IPv6 in brackets
 */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(host)) return !host.includes(".") || PRIVATE_ZONE.test(host);
  const address = ipaddr.process(host);
  const isNotGlobal = address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6);
  return isNotGlobal || address.range() !== "unicast";
}
