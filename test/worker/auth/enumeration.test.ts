import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { hashPassword } from "../../../src/access/password.ts";
import { cheapKey } from "../support/hashers.ts";
import type { Answer, Json } from "../support/client.ts";
import { withSecondFactor } from "../support/factors.ts";
import { newLink } from "../support/links.ts";
import { member } from "../support/sessions.ts";
import { countedDatabase } from "../support/statements.ts";
import { callWith, intercept, responseWith, watchedDatabase } from "../support/call-with.ts";

// These tests count password hashes and SQL statements instead of measuring time, which also
// depends on the machine.

/** The Durable Objects that hash passwords, and the number of hashes that they were asked for. */
function countedHashers() {
  const counted = { hashes: 0 };
  const PASSWORD_HASHERS = intercept(env.PASSWORD_HASHERS, (name, value) =>
    name === "getByName"
      ? (object: string) => {
          counted.hashes += 1;
          return value.call(env.PASSWORD_HASHERS, object);
        }
      : undefined,
  );
  return { counted, PASSWORD_HASHERS };
}

const PASSWORD = "a quite secret password";

/**
 * Returns what a caller sees of a response, without the values that differ in every response.
 */
function seen({ status, headers, body }: Answer<Json>) {
  const own = new Set(["x-b3-traceid", "x-b3-spanid", "x-d1-bookmark"]);
  const named = [...headers].map(([name, value]) => [name, own.has(name) ? "" : value]);
  return { status, headers: named, body: body === "" ? "" : { ...body, traceId: "" } };
}

/**
 * Sends a request. Returns what the caller sees of the response, and how many SQL statements and
 * password hashes the request took.
 */
async function observed(path: string, body: object) {
  const database = countedDatabase();
  const { counted, PASSWORD_HASHERS } = countedHashers();
  const replaced = { DB: database.DB, PASSWORD_HASHERS };
  const answer = await callWith(replaced, "POST", path, { body });
  return { ...seen(answer), statements: database.statements, ...counted };
}

const emailOf = async (id: number) =>
  (await env.DB.prepare("SELECT email FROM users WHERE id = ?").bind(id).first<string>("email")) ??
  "";

/** An e-mail address of each kind of user, and an address without a user. */
const emails: Record<string, string> = { "an unknown address": "nobody@example.com" };
const KINDS = [
  "an active user",
  "an invited user",
  "a disabled user",
  "a user with a second factor",
];

beforeAll(async () => {
  const factor = await withSecondFactor();
  await env.DB.prepare("UPDATE users SET password_hash = ? WHERE id = ?")
    .bind(await hashPassword(cheapKey, PASSWORD), factor.id)
    .run();
  const invited = await newLink("INVITE");
  const all = [
    (await member("VIEWER", PASSWORD)).email,
    await emailOf(invited.id),
    (await member("VIEWER", PASSWORD, "DISABLED")).email,
    await emailOf(factor.id),
  ];
  for (const [n, kind] of KINDS.entries()) emails[kind] = all[n] ?? "";
});

describe("a login with a wrong password", () => {
  const login = (email = "") =>
    observed("/api/v1/auth/login", { email, password: "not the password" });

  it.each(KINDS)(
    "returns the same response, and needs as many SQL statements and password hashes, for %s as for an unknown address",
    async (kind) => {
      const unknown = await login(emails["an unknown address"]);
      expect([unknown.status, unknown.hashes]).toEqual([401, 1]);
      expect(await login(emails[kind])).toEqual(unknown);
    },
  );
});

describe("POST /auth/forgot-password", () => {
  /**
   * Sends the request while the database does not respond. Returns what the caller sees of the
   * response, and how many SQL statements and password hashes were started before it.
   */
  async function forgot(email = "") {
    let statements = 0;
    let wake = () => {};
    const awake = new Promise<void>((resolve) => (wake = resolve));
    const DB = watchedDatabase((count) => {
      statements += count;
      return awake;
    });
    const { counted, PASSWORD_HASHERS } = countedHashers();
    const replaced = { DB, PASSWORD_HASHERS };
    const body = { email };
    const { answer, rest } = await responseWith(replaced, "POST", "/api/v1/auth/forgot-password", {
      body,
    });
    const observation = { ...seen(answer), statements, ...counted };
    wake();
    await rest();
    return observation;
  }

  it.each(KINDS)(
    "returns the same response, without waiting for an SQL statement, for %s as for an unknown address",
    async (kind) => {
      const unknown = await forgot(emails["an unknown address"]);
      expect([unknown.status, unknown.body, unknown.statements, unknown.hashes]).toEqual([
        202,
        "",
        1,
        0,
      ]);
      expect(await forgot(emails[kind])).toEqual(unknown);
    },
  );
});

describe("the token of an invalid link", () => {
  type Purpose = "INVITE" | "RESET";
  const DAY_MS = 24 * HOUR_MS;
  const spoiled = async (purpose: Purpose, sql: string) => {
    const { id, token } = await newLink(purpose);
    await env.DB.prepare(sql).bind(id).run();
    return token;
  };
  const open = (path: string, token: string) =>
    observed(`/api/v1/auth/${path}`, { token, password: PASSWORD });
  const USELESS: Record<string, (purpose: Purpose) => Promise<string>> = {
    "has expired": async (purpose) => (await newLink(purpose, Date.now() - 8 * DAY_MS)).token,
    "is for another purpose": async (purpose) =>
      (await newLink(purpose === "INVITE" ? "RESET" : "INVITE")).token,
    "belongs to a disabled user": (purpose) =>
      spoiled(purpose, "UPDATE users SET status = 'DISABLED' WHERE id = ?"),
    "belongs to a removed user": (purpose) => spoiled(purpose, "DELETE FROM users WHERE id = ?"),
    "was used": async (purpose) => {
      const { token } = await newLink(purpose);
      await open(purpose === "INVITE" ? "accept-invite" : "reset-password", token);
      return token;
    },
  };

  it.each(
    Object.keys(USELESS).flatMap((why) => [
      ["accept-invite", "INVITE" as const, why] as const,
      ["invitation", "INVITE" as const, why] as const,
      ["reset-password", "RESET" as const, why] as const,
    ]),
  )(
    "gets the same response from %s as an invented token when the link (%s) %s",
    async (path, purpose, why) => {
      const invented = await open(path, "a".repeat(43));
      expect([invented.status, invented.statements, invented.hashes]).toEqual([401, 1, 0]);
      const token = (await USELESS[why]?.(purpose)) ?? "";
      expect(await open(path, token)).toEqual(invented);
    },
  );
});
