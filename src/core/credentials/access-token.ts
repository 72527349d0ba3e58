import { sha256 } from "../lib/digest.ts";

/** Whose token it is: that of a person, of a service account, or of an agent (docs/use/oauth.md). */
type TokenPrefix = "ffpat" | "ffsvc" | "ffmcp";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The number of random characters, which have 214 bits, and of the characters of their checksum. */
const RANDOM_LENGTH = 36;
const CHECKSUM_LENGTH = 6;

/** The least byte that no digit gets, so that all digits are equally likely. */
const END_OF_BYTES = 256 - (256 % DIGITS.length);

const randomBytes = (): Uint8Array => crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH));

/**
 * Returns a new token with its checksum, such as `ffpat_` and 42 letters and digits. `bytesOf`: returns
 * the bytes of the n-th round, of which one is usually enough; by default random ones.
 */
export function newAccessToken(
  prefix: TokenPrefix,
  bytesOf: (round: number) => Uint8Array = randomBytes,
): string {
  let random = "";
  for (let round = 0; random.length < RANDOM_LENGTH; round++)
    for (const byte of bytesOf(round))
      if (byte < END_OF_BYTES && random.length < RANDOM_LENGTH)
        random += DIGITS[byte % DIGITS.length];
  return `${prefix}_${random}${checksumOf(random)}`;
}

/** Whether the last characters of a token are the checksum of its random characters. */
export function hasRightChecksum(token: string): boolean {
  const random = token.slice(token.indexOf("_") + 1, -CHECKSUM_LENGTH);
  return token.endsWith(checksumOf(random));
}

/** Whether a token belongs to an agent, which only the MCP endpoint accepts. */
export const isAgentToken = (token: string): boolean => token.startsWith("ffmcp_");

/**
 * Returns the hash by which the database finds a token. The hash of an agent's token is another one than
 * its plain SHA-256, so that a release without OAuth does not accept the token for its whole API.
 */
export const tokenHash = (token: string): Promise<string> =>
  sha256(isAgentToken(token) ? `agent ${token}` : token);

/** Returns the CRC-32 of a text of ASCII characters in base62, the most significant digit first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let n = 0; n < CHECKSUM_LENGTH; n++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}

/** Returns the CRC-32 of a text of ASCII characters (ISO 3309, as in zip files). */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
