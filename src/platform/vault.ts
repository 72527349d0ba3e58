import { Buffer } from "node:buffer";
import { base64url } from "../core/digest.ts";
import type { Vault } from "../management/vault.ts";

/** NIST SP 800-38D section 8.2: 96 bits, random for each text. */
const IV_BYTES = 12;
const VERSION = "v1";

/** AES-256-GCM; a sealed text is `v1.iv.ciphertext`, base64url. */
export function vault(key: Uint8Array<ArrayBuffer>): Vault {
  // Imported at each use: no promise of one request may serve another.
  const imported = () =>
    crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
  return {
    async seal(text) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const bytes = new TextEncoder().encode(text);
      const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await imported(), bytes);
      return [VERSION, base64url(iv), base64url(sealed)].join(".");
    },
    async open(sealed) {
      const [version, iv, bytes] = sealed.split(".");
      if (version !== VERSION || iv === undefined || bytes === undefined)
        throw new Error("not a sealed text");
      const algorithm = { name: "AES-GCM", iv: Buffer.from(iv, "base64url") };
      const text = await crypto.subtle.decrypt(
        algorithm,
        await imported(),
        Buffer.from(bytes, "base64url"),
      );
      return new TextDecoder().decode(text);
    },
  };
}
