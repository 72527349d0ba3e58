import { DurableObject } from "cloudflare:workers";
import { lazily } from "../../core/lib/lazily.ts";
import type { Cost } from "../../access/password.ts";

// Every isolate of the service has this class, and most never hash a password.
const hashing = lazily(() => import("../../access/password.ts"));

/**
 * A Durable Object that hashes passwords and stores nothing. An object runs where it was first
 * created. This is seldom the isolate of the caller, so a hash does not delay the SDKs there.
 */
export class PasswordHasherObject extends DurableObject<Env> {
  /**
   * Derives a key from a password. Returns undefined without hashing after `deadline` (epoch
   * milliseconds), because the caller has stopped waiting.
   */
  async derive(
    password: string,
    salt: Uint8Array,
    cost: Cost,
    deadline: number,
  ): Promise<Uint8Array | undefined> {
    if (Date.now() >= deadline) return undefined;
    const { deriveKey } = await hashing();
    return deriveKey(password, salt, cost);
  }
}
