import { Buffer } from "node:buffer";
import { Lru } from "../../core/lib/lru.ts";
import { base64url } from "../../core/lib/digest.ts";

/**
 * Stream tokens. A browser's `EventSource` cannot send headers, so the URL of an OFREP stream
 * contains a token in place of the API key. A token names only its key and environment, and gives
 * access only to revision numbers. A token does not expire, because a client that gets 304 does not
 * receive a new URL. The deletion of the API key ends the token.
 */

/** The API key and the environment of a stream token. */
export interface StreamClaims {
  readonly keyId: number;
  readonly environmentId: number;
}

/**
 * The secrets that sign stream tokens. The first secret signs, and every secret verifies, so that
 * secrets can be rotated.
 */
export type StreamSecrets = readonly [Uint8Array, ...Uint8Array[]];

/**
 * The beginning of every signed text. The same secret signs JSON Web Tokens, whose signed text has
 * no line break. So a stream token is not valid as a JSON Web Token, and the other way round.
 */
const PURPOSE = "event stream\n";

const TOKEN = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

const encoder = new TextEncoder();

const signedText = ({ keyId, environmentId }: StreamClaims) =>
  encoder.encode(`${PURPOSE}${keyId}.${environmentId}`);

const imported = (secret: Uint8Array, use: "sign" | "verify") =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [use]);

async function signStreamToken(secret: Uint8Array, claims: StreamClaims): Promise<string> {
  const signature = await crypto.subtle.sign(
    "HMAC",
    await imported(secret, "sign"),
    signedText(claims),
  );
  return `${claims.keyId}.${claims.environmentId}.${base64url(signature)}`;
}

/** Returns the claims of a stream token; undefined when it is not valid. */
export async function readStreamToken(
  secrets: StreamSecrets,
  token: string,
): Promise<StreamClaims | undefined> {
  const [, keyId, environmentId, text = ""] = TOKEN.exec(token) ?? [];
  if (keyId === undefined) return undefined;
  const claims = { keyId: Number(keyId), environmentId: Number(environmentId) };
  const signature = Buffer.from(text, "base64url");
  for (const secret of secrets) {
    const key = await imported(secret, "verify");
    if (await crypto.subtle.verify("HMAC", key, signature, signedText(claims))) return claims;
  }
  return undefined;
}

/** The most API keys whose stream token an isolate keeps. */
const MAX_TOKENS = 10_000;

/** The stream tokens of one isolate. Without them, every bulk evaluation would sign a token. */
export class StreamTokens {
  readonly #byKey = new Lru<number, string>(MAX_TOKENS);
  #secret: Uint8Array | undefined;

  /** Returns the token of an API key. Returns no promise when it is in memory. */
  of(secret: Uint8Array, claims: StreamClaims): string | Promise<string> {
    if (secret !== this.#secret) this.#byKey.clear();
    this.#secret = secret;
    return this.#byKey.get(claims.keyId) ?? this.#sign(secret, claims);
  }

  async #sign(secret: Uint8Array, claims: StreamClaims): Promise<string> {
    const token = await signStreamToken(secret, claims);
    if (secret === this.#secret) this.#byKey.set(claims.keyId, token);
    return token;
  }
}
