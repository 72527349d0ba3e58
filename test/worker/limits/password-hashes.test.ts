import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { callWith } from "../support/call-with.ts";
import { type Answer, type Json, request } from "../support/client.ts";
import { heldHashers, pretendedHashers } from "../support/hashers.ts";
import { newLink } from "../support/links.ts";
import { failureRows } from "../support/locks.ts";
import { outcome, tally } from "../support/outcomes.ts";
import { signIn } from "../support/people.ts";
import { from, newAddress, TOO_MANY, waitOf } from "../support/rates.ts";

const WRONG = "401 INVALID_CREDENTIALS";
const BUSY = "503 SERVICE_UNAVAILABLE";

const login = (PASSWORD_HASHERS: Env["PASSWORD_HASHERS"], address: string) =>
  callWith({ PASSWORD_HASHERS }, "POST", "/api/v1/auth/login", {
    body: { email: `${crypto.randomUUID()}@example.com`, password: "wrong" },
    headers: from(address),
  });

/**
 * Sends `count` requests at once. The first hash ends only when `refused` requests have been
 * refused, so that all of them find the line full, however slow the machine is.
 */
async function flood(
  { release }: ReturnType<typeof heldHashers>,
  { count, refused }: { readonly count: number; readonly refused: number },
  send: (n: number) => Promise<Answer<Json>>,
) {
  let left = refused;
  const sendOne = async (_: unknown, n: number) => {
    const answer = await send(n);
    if ([429, 503].includes(answer.status)) left -= 1;
    if (left === 0) release();
    return answer;
  };
  return Promise.all(Array.from({ length: count }, sendOne));
}

describe("simultaneous logins", () => {
  it("from one address cost four hashes, one at a time, and the others get 429 with Retry-After", async () => {
    const held = heldHashers();
    const { seen, PASSWORD_HASHERS } = held;
    const address = newAddress();
    const answers = await flood(held, { count: 40, refused: 36 }, () =>
      login(PASSWORD_HASHERS, address),
    );
    expect(tally(answers)).toEqual({ [WRONG]: 4, [TOO_MANY]: 36 });
    expect(seen).toMatchObject({ hashes: 4, atOnce: 1 });
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(refused.map(waitOf))).toEqual(new Set([1]));
    expect(outcome(await login(PASSWORD_HASHERS, address))).toBe(WRONG);
  });

  it("from forty IPv6 networks of one /48 count as logins from one network", async () => {
    const held = heldHashers();
    const answers = await flood(held, { count: 40, refused: 36 }, (n) =>
      login(held.PASSWORD_HASHERS, `2001:db8:7:${n.toString(16)}::1`),
    );
    expect(tally(answers)).toEqual({ [WRONG]: 4, [TOO_MANY]: 36 });
  });

  it("from forty addresses cost ten hashes, one at a time, and the others get 503 with Retry-After", async () => {
    const held = heldHashers();
    const { seen, PASSWORD_HASHERS } = held;
    const answers = await flood(held, { count: 40, refused: 30 }, () =>
      login(PASSWORD_HASHERS, newAddress()),
    );
    expect(tally(answers)).toEqual({ [WRONG]: 10, [BUSY]: 30 });
    expect(seen).toMatchObject({ hashes: 10, atOnce: 1 });
    const refused = answers.filter(({ status }) => status === 503);
    expect(new Set(refused.map(waitOf))).toEqual(new Set([2]));
  });

  it("with the device token of another user count as logins of strangers", async () => {
    const held = heldHashers();
    const { PASSWORD_HASHERS } = held;
    const { deviceToken } = await signIn();
    const answers = await flood(held, { count: 40, refused: 30 }, (n) =>
      callWith({ PASSWORD_HASHERS }, "POST", "/api/v1/auth/login", {
        body: { email: `nobody-${n}@example.com`, password: "wrong", deviceToken },
        headers: from(newAddress()),
      }),
    );
    expect(tally(answers)).toEqual({ [WRONG]: 10, [BUSY]: 30 });
  });

  it("do not keep out the owner of an e-mail link", async () => {
    const held = heldHashers();
    const { PASSWORD_HASHERS } = pretendedHashers();
    const { token } = await newLink("INVITE");
    const logins = flood(held, { count: 40, refused: 30 }, () =>
      login(held.PASSWORD_HASHERS, newAddress()),
    );
    const body = { token, password: "a good password" };
    const accepted = await callWith({ PASSWORD_HASHERS }, "POST", "/api/v1/auth/accept-invite", {
      body,
    });
    expect(outcome(accepted)).toBe("200");
    expect(tally(await logins)[BUSY]).toBeGreaterThan(0);
  });
});

describe("a login whose client disconnects", () => {
  it("goes on until the wrong password is counted, because its work outlives the request", async () => {
    const hashing = Promise.withResolvers<void>();
    const key = Promise.withResolvers<Uint8Array>();
    const derive = () => {
      hashing.resolve();
      return key.promise;
    };
    const PASSWORD_HASHERS = {
      getByName: () => ({ derive }),
    } as unknown as Env["PASSWORD_HASHERS"];
    // When a client disconnects, the platform stops the work of its request, except for these
    // promises.
    const outliving: Promise<unknown>[] = [];
    const context = createExecutionContext();
    context.waitUntil = (promise) => {
      outliving.push(promise);
    };
    const before = (await failureRows()).length;
    const email = `${crypto.randomUUID()}@example.com`;
    const sent = request("POST", "/api/v1/auth/login", { body: { email, password: "wrong" } });
    const response = worker.fetch(sent, { ...env, PASSWORD_HASHERS }, context);
    await hashing.promise;
    const work = Promise.all(outliving);
    key.resolve(new Uint8Array(32));
    await work;
    expect((await failureRows()).length).toBe(before + 1);
    expect((await response).status).toBe(401);
  });
});

describe("simultaneous uses of e-mail links", () => {
  it.each([
    ["accept-invite", "INVITE"],
    ["reset-password", "RESET"],
  ] as const)("hash one password at a time: /auth/%s", async (path, purpose) => {
    const held = heldHashers();
    const { seen, PASSWORD_HASHERS } = held;
    const { token } = await newLink(purpose);
    const body = { token, password: "a good password" };
    const answers = await flood(held, { count: 20, refused: 9 }, () =>
      callWith({ PASSWORD_HASHERS }, "POST", `/api/v1/auth/${path}`, { body }),
    );
    expect(tally(answers)).toEqual({ "200": 1, "401 UNAUTHORIZED": 10, [BUSY]: 9 });
    expect(seen).toMatchObject({ hashes: 11, atOnce: 1 });
  });
});
