import type { Primitive } from "./context.ts";

/**
 * An IP address: its eight groups of 16 bits, each as one UTF-16 code unit. An IPv4 address is its
 * IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), so all spellings of an address are equal. Rules
 * may have a million addresses, and this is their smallest form.
 */
type Address = string;

/** A CIDR block: the length of the prefix in bits as one code unit, then the prefix. */
export type IpBlock = string;

/**
 * The maximum length of an IP address in characters, the length of
 * `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. Longer texts are not parsed.
 */
const LONGEST_ADDRESS = 45;

const GROUPS = 8;

/** The prefix of the IPv4-mapped addresses, `::ffff:0:0/96`, and its length. */
const MAPPED = "\0\0\0\0\0\uFFFF";
const MAPPED_BITS = 96;

const isIPv4 = (address: Address): boolean => address.startsWith(MAPPED);

/** The groups of the text that is parsed. One array for all texts, because a million are parsed. */
const groups = new Uint16Array(GROUPS);

/** Returns the value of a hexadecimal digit; -1 for any other character code. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Parses four decimals without leading zeros, from `start` to the end of the text, as two groups from
 * `at` on. Returns whether the text has them.
 */
function parseIPv4(text: string, start: number, at: number): boolean {
  let position = start;
  for (let n = 0; n < 4; n++) {
    let octet = 0;
    const first = position;
    for (; position < text.length; position++) {
      const code = text.charCodeAt(position);
      if (code < 48 || code > 57) break;
      octet = octet * 10 + code - 48;
      if (octet > 255 || (octet < 10 && position > first)) return false;
    }
    if (position === first) return false;
    const group = at + (n >> 1);
    groups[group] = n % 2 === 0 ? octet << 8 : (groups[group] ?? 0) | octet;
    if (n < 3 && text[position++] !== ".") return false;
  }
  return position === text.length;
}

/** Parses an IPv6 address without a zone (RFC 4291). Returns whether the text is one. */
function parseIPv6(text: string): boolean {
  let count = 0;
  /** The number of groups before `::`; -1 without it. */
  let gap = text.startsWith("::") ? 0 : -1;
  let position = gap === 0 ? 2 : 0;
  while (position < text.length) {
    if (count === GROUPS) return false;
    let group = 0;
    const first = position;
    for (; position < text.length; position++) {
      const digit = digitOf(text.charCodeAt(position));
      if (digit < 0) break;
      if (position === first + 4) return false;
      group = group * 16 + digit;
    }
    if (position === first) return false;
    if (text[position] === ".") {
      if (count > GROUPS - 2 || !parseIPv4(text, first, count)) return false;
      count += 2;
      break;
    }
    groups[count++] = group;
    if (position === text.length) break;
    if (text[position++] !== ":" || position === text.length) return false;
    if (text[position] !== ":") continue;
    if (gap >= 0) return false;
    gap = count;
    position++;
  }
  if (gap < 0) return count === GROUPS;
  if (count === GROUPS) return false;
  const end = GROUPS - (count - gap);
  groups.copyWithin(end, gap, count);
  groups.fill(0, gap, end);
  return true;
}

/** Parses an address into `groups`. Returns whether the text is one. */
function parse(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  if (text.includes(":")) return parseIPv6(text);
  groups.fill(0, 0, 5);
  groups[5] = 0xff_ff;
  return parseIPv4(text, 0, 6);
}

/** Returns the first `bits` bits of the groups, in whole groups. */
function prefixOf(address: Address, bits: number): string {
  const whole = bits >> 4;
  const rest = bits & 15;
  const prefix = address.slice(0, whole);
  if (rest === 0) return prefix;
  return prefix + String.fromCharCode(address.charCodeAt(whole) & (0xff_ff << (16 - rest)));
}

/**
 * Parses an IPv4 address in four decimals, or an IPv6 address (RFC 4291) without a zone. Returns
 * undefined for any other value.
 */
export function parseAddress(value: Primitive): Address | undefined {
  if (typeof value !== "string" || !parse(value)) return undefined;
  const at = (n: number) => groups[n] ?? 0;
  // Not `...groups`, which takes four times as long.
  return String.fromCharCode(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

/**
 * Parses a CIDR block (RFC 4632, RFC 4291); a plain address is a block of one address. Bits beyond
 * the prefix are ignored. A block of IPv4-mapped addresses is the IPv4 block. Returns undefined for any
 * other text.
 */
export function parseBlock(text: string): IpBlock | undefined {
  const slash = text.indexOf("/");
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash));
  if (address === undefined) return undefined;
  if (slash < 0) return blockOf(address, 128);
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined;
  const bits = Number(length) + (text.lastIndexOf(":", slash) < 0 ? MAPPED_BITS : 0);
  return bits > 128 ? undefined : blockOf(address, bits);
}

/** Returns the block of an address with a prefix of this length, bits. */
const blockOf = (address: Address, bits: number): IpBlock =>
  String.fromCharCode(bits) + prefixOf(address, bits);

/**
 * Returns a function that tells whether any of the blocks contains an address. IPv4 and IPv6 never
 * contain each other. It looks up one block for each length of a prefix, however many blocks there are.
 */
export function anyHolds(blocks: readonly IpBlock[]): (address: Address) => boolean {
  const known: ReadonlySet<IpBlock> = new Set(blocks);
  const lengths = new Set<number>();
  for (const block of known) lengths.add(block.charCodeAt(0));
  const ofIPv4 = [...lengths].filter((bits) => bits >= MAPPED_BITS);
  const ofIPv6 = [...lengths];
  return (address) =>
    (isIPv4(address) ? ofIPv4 : ofIPv6).some((bits) => known.has(blockOf(address, bits)));
}

/**
 * Returns the network of a caller: the IPv4 address, or the /64 of an IPv6 address (RFC 7421). Rate
 * limits count the requests of a network. Returns any other text unchanged.
 */
export function networkOf(text: string): string {
  const address = text.includes(":") ? parseAddress(text) : undefined;
  if (address === undefined) return text;
  if (!isIPv4(address)) return textOf(address, 64);
  return [address.charCodeAt(6), address.charCodeAt(7)]
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/**
 * Returns the /48 of an IPv6 address, which is the usual size of one subscriber's network (RFC
 * 6177); undefined for an IPv4 address or any other text.
 */
export function siteOf(text: string): string | undefined {
  const address = text.includes(":") ? parseAddress(text) : undefined;
  return address === undefined || isIPv4(address) ? undefined : textOf(address, 48);
}

/** Returns the text of the block with a prefix of this length, a multiple of 16 bits. */
const textOf = (address: Address, bits: number): string =>
  `${Array.from({ length: bits / 16 }, (_, n) => address.charCodeAt(n).toString(16)).join(":")}::/${bits}`;
