import { Buffer } from "node:buffer";

/** Encodes bytes as base64url without padding (RFC 4648 section 5). */
export const base64url = (bytes: Uint8Array | ArrayBuffer): string =>
  Buffer.from(bytes).toString("base64url");

/**
 * Returns the SHA-256 hash of the UTF-8 text, as base64url without padding. API keys, refresh
 * tokens, tokens in e-mails and recovery codes are stored only as this hash.
 */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url(digest);
}

/** Returns `bytes` cryptographically random bytes as base64url without padding: 4 characters for 3 bytes. */
export function randomToken(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}
