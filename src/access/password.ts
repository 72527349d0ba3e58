import { Buffer } from "node:buffer";
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { base64url } from "../core/lib/digest.ts";

/**
 * The scrypt parameters of new password hashes, from OWASP's Password Storage Cheat Sheet. They use
 * 32 MiB. N·r·p must stay below 2^20, the limit of the Workers runtime.
 */
const COST: Cost = { logN: 15, r: 8, p: 3 };

/** The cost parameters of scrypt (RFC 7914). */
export interface Cost {
  /** The base-2 logarithm of N. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/**
 * Derives a key from a password. A request gets its function from `ManagementDeps.hashing`, which
 * limits how many run at a time.
 */
export type DeriveKey = (password: string, salt: Uint8Array, cost: Cost) => Promise<Uint8Array>;

const KEY_BYTES = 32;
const MAX_MEMORY = 64 * 1024 * 1024;

/** The hash to check if a user has no stored hash, so that the check takes as long as with a stored hash. */
const DUMMY_HASH = `scrypt$${COST.logN}$${COST.r}$${COST.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Returns the scrypt hash of a password with a new random salt, as `scrypt$logN$r$p$salt$key` with
 * salt and key in base64url.
 */
export async function hashPassword(derive: DeriveKey, password: string): Promise<string> {
  const salt = randomBytes(16);
  const { logN, r, p } = COST;
  const key = await derive(password, salt, COST);
  return ["scrypt", logN, r, p, base64url(salt), base64url(key)].join("$");
}

/**
 * Returns whether the password matches the stored hash. If `stored` is null, returns false and
 * takes as long as with a stored hash.
 */
export async function verifyPassword(
  derive: DeriveKey,
  password: string,
  stored: string | null,
): Promise<boolean> {
  const [, logN, r, p, salt, key] = (stored ?? DUMMY_HASH).split("$");
  if (salt === undefined || key === undefined)
    throw new Error("The stored password hash is malformed");
  const expected = Buffer.from(key, "base64url");
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, "base64url"), cost);
  return timingSafeEqual(actual, expected) && stored !== null;
}

/**
 * Derives a key from a password with scrypt. This takes some 200 ms of CPU time, in which the
 * isolate does nothing else.
 */
export const deriveKey: DeriveKey = (password, salt, { logN, r, p }) =>
  new Promise<Uint8Array>((resolve, reject) => {
    // Normalizes the password to NFKC, because two keyboards may encode the same characters
    // differently (NIST SP 800-63B of 2017, section 5.1.1.2).
    const options = { N: 2 ** logN, r, p, maxmem: MAX_MEMORY };
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/**
 * Returns why a new password is not allowed, as the end of a sentence such as "must have 8 to 128
 * characters"; undefined if it is allowed (docs/build/decisions.md, 3.7).
 */
export function passwordError(password: string, email: string): string | undefined {
  if (password.length < 8 || password.length > 128) return "must have 8 to 128 characters";
  const lower = password.toLowerCase();
  if (lower === email || lower === email.split("@")[0])
    return "must be neither the e-mail address nor its first part";
  return undefined;
}
