import ipaddr from "ipaddr.js";
import type { Primitive } from "./context.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A CIDR block: all addresses that share the first `bits` bits of `address`. */
export interface IpBlock {
  readonly address: Address;
  readonly bits: number;
}

/**
 * The maximum length of an IP address in characters, the length of
 * `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. Longer texts are not parsed.
 */
const LONGEST_ADDRESS = 45;

/** The prefix length of the IPv4-mapped addresses, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2). */
const MAPPED_BITS = 96;

function parseIPv4(text: string): ipaddr.IPv4 | undefined {
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
}

/**
 * Parses an IPv6 address; undefined for any other text. First rewrites an IPv4 ending such as
 * `1.2.3.4` as IPv6 groups. Otherwise ipaddr.js would read octal numbers there, and would take
 * `::1.2.3.4` for an IPv4-mapped address.
 */
function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  let spelled = text;
  if (text.includes(".")) {
    const tailAt = text.lastIndexOf(":") + 1;
    const tail = parseIPv4(text.slice(tailAt));
    if (tail === undefined) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = tail.octets;
    const groups = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    spelled = text.slice(0, tailAt) + groups;
  }
  if (text.includes("%")) return undefined;
  try {
    // `IPv6.isValid` would parse the text, too, and rules may have a million addresses.
    return ipaddr.IPv6.parse(spelled);
  } catch {
    return undefined;
  }
}

function parseSpelling(text: string): Address | undefined {
  if (text.length > LONGEST_ADDRESS) return undefined;
  return text.includes(":") ? parseIPv6(text) : parseIPv4(text);
}

/**
 * Parses an IPv4 address in four decimals, or an IPv6 address (RFC 4291) without a zone. An IPv4-mapped
 * IPv6 address becomes its IPv4 address. Returns undefined for any other value.
 */
export function parseAddress(value: Primitive): Address | undefined {
  const address = typeof value === "string" ? parseSpelling(value) : undefined;
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address;
}

/**
 * Returns the canonical text of an IP address, which is the same for all its spellings; undefined
 * for any other value.
 */
export function addressKey(value: Primitive): string | undefined {
  return parseAddress(value)?.toString();
}

/**
 * Parses a CIDR block (RFC 4632, RFC 4291); a plain address is a block of one address. Bits beyond
 * the prefix are ignored. A block of IPv4-mapped addresses becomes the IPv4 block. Returns
 * undefined for any other text.
 */
export function parseBlock(text: string): IpBlock | undefined {
  const [, base = "", prefix] = /^([^/]{1,45})(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseSpelling(base);
  if (address === undefined) return undefined;
  const width = address instanceof ipaddr.IPv6 ? 128 : 32;
  const bits = prefix === undefined ? width : Number(prefix);
  if (bits > width) return undefined;
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? { address: address.toIPv4Address(), bits: bits - MAPPED_BITS }
    : { address, bits };
}

/** Whether the block contains the address. IPv4 and IPv6 never contain each other. */
export function blockHolds(block: IpBlock, address: Address): boolean {
  return block.address.kind() === address.kind() && address.match(block.address, block.bits);
}

/**
 * Returns the network of a caller: the IPv4 address, or the /64 of an IPv6 address (RFC 7421). Rate
 * limits count the requests of a network. Returns any other text unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const parsed = parseAddress(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 4) : (parsed?.toString() ?? address);
}

/**
 * Returns the /48 of an IPv6 address, which is the usual size of one subscriber's network (RFC
 * 6177); undefined for an IPv4 address or any other text.
 */
export function siteOf(address: string): string | undefined {
  const parsed = address.includes(":") ? parseAddress(address) : undefined;
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 3) : undefined;
}

const prefixOf = ({ parts }: ipaddr.IPv6, groups: number): string =>
  `${parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(":")}::/${groups * 16}`;
