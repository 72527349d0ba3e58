import { Buffer } from "node:buffer";
import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { deriveKey, hashPassword, verifyPassword } from "../../../src/access/password.ts";

const PASSWORD = "a quite secret password";

describe("a password hash", () => {
  it("is scrypt with N = 2^15, r = 8, p = 3 and a salt of 16 random bytes", async () => {
    const hash = await hashPassword(deriveKey, PASSWORD);
    const [name, logN, r, p, salt = "", key] = hash.split("$");
    expect([name, logN, r, p]).toEqual(["scrypt", "15", "8", "3"]);
    const bytes = Buffer.from(salt, "base64url");
    expect(bytes).toHaveLength(16);
    const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
    expect(key).toBe(scryptSync(PASSWORD, bytes, 32, options).toString("base64url"));
    expect(await hashPassword(deriveKey, PASSWORD)).not.toBe(hash);
  });

  it("matches only its password, in either Unicode normalization form", async () => {
    const hash = await hashPassword(deriveKey, "Zo\u00eb's password");
    expect(await verifyPassword(deriveKey, "Zoe\u0308's password", hash)).toBe(true);
    expect(await verifyPassword(deriveKey, "Zoe's password", hash)).toBe(false);
  });

  it("matches no password when there is none, after as much work", async () => {
    const costs: unknown[] = [];
    const counted: typeof deriveKey = (password, salt, cost) => {
      costs.push(cost);
      return deriveKey(password, salt, cost);
    };
    expect(await verifyPassword(counted, PASSWORD, null)).toBe(false);
    await hashPassword(counted, PASSWORD);
    expect(costs).toEqual([costs[0], costs[0]]);
  });
});
