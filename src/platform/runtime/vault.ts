import { Buffer } from "node:buffer";
import { base64url } from "../../core/lib/digest.ts";
import type { Vault } from "../../access/ports/vault.ts";

/**
 * The size of an initialisation vector of AES-GCM in bytes: 96 random bits for each text (NIST SP
 * 800-38D section 8.2).
 */
const IV_BYTES = 12;
const VERSION = "v1";

type Key = Uint8Array<ArrayBuffer>;

/** AES-256 keys of 32 bytes. The first key encrypts and all keys decrypt, so that keys can be rotated. */
export type EncryptionKeys = readonly [Key, ...Key[]];

/**
 * Returns a vault that encrypts and decrypts texts with AES-256-GCM. A sealed (encrypted) text is
 * `v1.{iv}.{ciphertext}`, with the last two parts in base64url.
 */
export function vault(keys: EncryptionKeys): Vault {
  const seal = async (text: string) => {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const bytes = new TextEncoder().encode(text);
    const sealed = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv },
      await imported(keys[0]),
      bytes,
    );
    return [VERSION, base64url(iv), base64url(sealed)].join(".");
  };
  return {
    seal,
    async open(sealed) {
      for (const key of keys) {
        const text = await openWith(key, sealed);
        if (text !== undefined) return text;
      }
      throw new Error("The text was encrypted with another key, or was altered");
    },
    async reseal(sealed) {
      const [current, ...previous] = keys;
      if ((await openWith(current, sealed)) !== undefined) return undefined;
      for (const key of previous) {
        const text = await openWith(key, sealed);
        if (text !== undefined) return seal(text);
      }
      return undefined;
    },
  };
}

/**
 * Imports an encryption key. The result is not kept, because Workers must not share a promise
 * between requests.
 */
const imported = (key: Key) =>
  crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);

/**
 * Decrypts a sealed text with one key. Returns undefined when the text was encrypted with another
 * key, or altered. Throws: an Error when the text is not a sealed text.
 */
async function openWith(key: Key, sealed: string): Promise<string | undefined> {
  const [version, iv, bytes] = sealed.split(".");
  if (version !== VERSION || iv === undefined || bytes === undefined)
    throw new Error("The text is not an encrypted text of this service");
  const algorithm = { name: "AES-GCM", iv: Buffer.from(iv, "base64url") };
  try {
    const secret = Buffer.from(bytes, "base64url");
    return new TextDecoder().decode(
      await crypto.subtle.decrypt(algorithm, await imported(key), secret),
    );
  } catch (error) {
    if (error instanceof DOMException && error.name === "OperationError") return undefined;
    throw error;
  }
}
