import { describe, expect, it, vi } from "vitest";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";
import type { CallOptions } from "../support/client.ts";
import { newLink } from "../support/links.ts";
import { PASSWORD } from "../support/mailbox.ts";
import {
  from,
  sendSequentially,
  newAddress,
  SmallRate,
  standAtHalfAMinute,
  TOO_MANY,
  waitOf,
} from "../support/rates.ts";
import { member } from "../support/sessions.ts";
import { ofrepUrl, openStreams } from "../support/streams.ts";
import { newKey, newWorld } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";

standAtHalfAMinute();

const { openWith } = openStreams();

const login = (replaced: Partial<Env>, email: string, password: string, address: string) =>
  callWith(replaced, "POST", "/api/v1/auth/login", {
    body: { email, password },
    headers: from(address),
  });
const invented = () => crypto.randomUUID().replaceAll("-", "").padEnd(64, "x");
const unknown = () => `${crypto.randomUUID()}@example.com`;

describe("an IP address with too many failed logins", () => {
  it("gets 429 for every account, even with the right password, until the minute is over", async () => {
    const { email } = await member("VIEWER", PASSWORD);
    const FAILURE_RATE = new SmallRate(2);
    const address = newAddress();
    const answers = await sendSequentially(4, () =>
      login({ FAILURE_RATE }, unknown(), "wrong", address),
    );
    expect(tally(answers)).toEqual({ "401 INVALID_CREDENTIALS": 3, [TOO_MANY]: 1 });
    const right = await login({ FAILURE_RATE }, email, PASSWORD, address);
    expect([outcome(right), waitOf(right)]).toEqual([TOO_MANY, 30]);
    expect(outcome(await login({ FAILURE_RATE }, email, PASSWORD, newAddress()))).toBe("200");
    vi.setSystemTime(Date.now() + 30_000);
    expect(outcome(await login({ FAILURE_RATE }, email, PASSWORD, address))).toBe("200");
  });

  it("gets 429 before the service runs an SQL statement", async () => {
    const FAILURE_RATE = new SmallRate(0);
    const address = newAddress();
    await login({ FAILURE_RATE }, unknown(), "wrong", address);
    const statement = vi.fn<() => void>();
    const DB = watchedDatabase(statement);
    const refused = await login({ FAILURE_RATE, DB }, unknown(), "wrong", address);
    expect([outcome(refused), statement.mock.calls.length]).toEqual([TOO_MANY, 0]);
  });

  it("gets 429 together with all addresses of its IPv6 network (/64)", async () => {
    const FAILURE_RATE = new SmallRate(0);
    const attempt = (address: string) => login({ FAILURE_RATE }, unknown(), "wrong", address);
    await attempt("2001:db8:aaaa:1::1");
    expect(outcome(await attempt("2001:db8:aaaa:1:ffff:ffff:ffff:ffff"))).toBe(TOO_MANY);
    expect((await attempt("2001:db8:aaaa:2::1")).status).toBe(401);
  });

  it("is limited because of failed logins only; successful logins are not counted", async () => {
    const { email } = await member("VIEWER", PASSWORD);
    const FAILURE_RATE = new SmallRate(0);
    const address = newAddress();
    const answers = await sendSequentially(3, () =>
      login({ FAILURE_RATE }, email, PASSWORD, address),
    );
    expect(tally(answers)).toEqual({ "200": 3 });
    expect(FAILURE_RATE.asked).toEqual([]);
  });
});

describe("an IP address that sends invalid API keys", () => {
  it.each([
    ["the client API", "/api/client/features"],
    ["the management API", "/api/v1/flags"],
  ])(
    "gets 429 from %s after too many unknown keys, while a valid key and another address are served",
    async (_, path) => {
      const FAILURE_RATE = new SmallRate(3);
      const address = newAddress();
      const { apiKey } = await newWorld();
      const ask = (token: string, headers = from(address)) =>
        callWith({ FAILURE_RATE }, "GET", path, { token, headers });
      const answers = await sendSequentially(6, () => ask(invented()));
      expect(tally(answers)).toEqual({ "401 UNAUTHORIZED": 4, [TOO_MANY]: 2 });
      // The isolate has not seen the valid key before.
      expect((await ask(apiKey)).status).toBe(200);
      expect(outcome(await ask(invented()))).toBe(TOO_MANY);
      expect((await ask(invented(), from(newAddress()))).status).toBe(401);
    },
  );

  it("gets 401, not 429, when it repeats the same invalid key, which is counted once", async () => {
    const FAILURE_RATE = new SmallRate(0);
    const options = { token: invented(), headers: from(newAddress()) };
    const ask = () => callWith({ FAILURE_RATE }, "GET", "/api/client/features", options);
    expect(tally(await sendSequentially(20, ask))).toEqual({ "401 UNAUTHORIZED": 20 });
    expect(FAILURE_RATE.asked).toHaveLength(1);
  });
});

describe("an IP address that sends invalid stream tokens", () => {
  const tokenOf = async (apiKey: string) => (await ofrepUrl(apiKey)).split("=")[1] ?? "";

  it.each<[string, (token: string, n: number) => string]>([
    ["forged", (token, n) => `${token.slice(0, -43)}${String(n).padEnd(43, "x")}`],
    ["malformed", (_, n) => `token${n}`],
    ["another key's", (token, n) => token.replace(/^\d+/, String(1_000_000 + n))],
  ])(
    "gets 429 after too many %s tokens, also for unknown API keys, while others are served",
    async (_, alter) => {
      const FAILURE_RATE = new SmallRate(3);
      const address = newAddress();
      const { apiKey } = await newWorld();
      const token = await tokenOf(apiKey);
      const ask = (path: string, headers: Record<string, string>) =>
        callWith({ FAILURE_RATE }, "GET", path, { headers });
      let n = 0;
      const answers = await sendSequentially(6, () =>
        ask(`/api/ofrep/v1/stream?token=${alter(token, (n += 1))}`, from(address)),
      );
      expect(tally(answers)).toEqual({ "401 UNAUTHORIZED": 4, [TOO_MANY]: 2 });
      expect(waitOf(answers[5]!)).toBe(30);
      const path = "/api/client/features";
      const stranger = { token: invented(), headers: from(address) };
      expect(outcome(await callWith({ FAILURE_RATE }, "GET", path, stranger))).toBe(TOO_MANY);
      const other = { "X-API-Key": apiKey, ...from(newAddress()) };
      expect(
        (await openWith({ FAILURE_RATE }, "/api/ofrep/v1/stream", { headers: other })).status,
      ).toBe(200);
    },
  );

  it("is limited because of a token whose API key was deleted, which is counted once, and still opens streams with a valid token", async () => {
    const FAILURE_RATE = new SmallRate(0);
    const headers = from(newAddress());
    const { apiKey, environmentId } = await newWorld();
    const deleted = await newKey(environmentId, "FRONTEND");
    const [valid, invalid] = [await ofrepUrl(apiKey), await ofrepUrl(deleted.apiKey)];
    expect((await asAdmin("DELETE", `/api/v1/api-keys/${deleted.id}`)).status).toBe(204);
    const open = async (url: string) => (await openWith({ FAILURE_RATE }, url, { headers })).status;
    expect([await open(invalid), await open(invalid)]).toEqual([401, 401]);
    expect(FAILURE_RATE.asked).toHaveLength(1);
    expect([await open(`${invalid}x`), await open(valid)]).toEqual([429, 200]);
  });
});

describe("a public endpoint of sessions or e-mail links", () => {
  const LINKS = {
    "forgot-password": () => ({ email: "nobody@example.com" }),
    "reset-password": () => ({ token: "x".repeat(43), password: "a good password" }),
    invitation: () => ({ token: "x".repeat(43) }),
    "accept-invite": () => ({ token: "x".repeat(43), password: "a good password" }),
  };
  const SESSIONS = {
    refresh: () => ({ refreshToken: `${"x".repeat(22)}.${"y".repeat(43)}` }),
    "mfa/verify": () => ({ mfaToken: "a.b.c", code: "123456" }),
  };

  const send = (replaced: Partial<Env>, path: string, options: CallOptions) =>
    callWith(replaced, "POST", `/api/v1/auth/${path}`, options);

  const cases = [
    ...Object.entries(LINKS).map(([path, body]) => [path, "LINK_RATE", body] as const),
    ...Object.entries(SESSIONS).map(([path, body]) => [path, "SESSION_RATE", body] as const),
  ];

  it.each(cases)(
    "limits the requests of each IPv4 address: /auth/%s, with the binding %s",
    async (path, name, body) => {
      const rate = new SmallRate(2);
      const [address, other] = [newAddress(), newAddress()];
      const ask = (headers: Record<string, string>) =>
        send({ [name]: rate }, path, { body: body(), headers });
      const answers = await sendSequentially(5, () => ask(from(address)));
      expect(answers.map(outcome).slice(3)).toEqual([TOO_MANY, TOO_MANY]);
      expect(answers.slice(0, 3).map(outcome)).not.toContain(TOO_MANY);
      expect(waitOf(answers[4]!)).toBeGreaterThan(0);
      expect(outcome(await ask(from(other)))).not.toBe(TOO_MANY);
    },
  );

  it("returns 429 to an IP address above the limit, even for a valid link, so an attacker cannot find out which links are valid", async () => {
    const LINK_RATE = new SmallRate(0);
    const headers = from(newAddress());
    await send({ LINK_RATE }, "accept-invite", { body: LINKS["accept-invite"](), headers });
    const { token } = await newLink("INVITE");
    const body = { token, password: "a good password" };
    const refused = await send({ LINK_RATE }, "accept-invite", { body, headers });
    expect(outcome(refused)).toBe(TOO_MANY);
    const accepted = await send({}, "accept-invite", { body, headers: from(newAddress()) });
    expect(outcome(accepted)).toBe("200");
  });
});

describe("an IP address that calls the operational endpoints", () => {
  const ask = (replaced: Partial<Env>, path: string, address: string, token?: string) =>
    callWith(replaced, "GET", `/actuator/${path}`, { token, headers: from(address) });

  it.each(["health", "prometheus"])(
    "gets 429 from /actuator/%s above the limit of OPERATIONS_RATE, while another address is served",
    async (path) => {
      const OPERATIONS_RATE = new SmallRate(2);
      const address = newAddress();
      const answers = await sendSequentially(5, () => ask({ OPERATIONS_RATE }, path, address));
      expect(tally(answers)).toEqual({ "200": 3, [TOO_MANY]: 2 });
      expect((await ask({ OPERATIONS_RATE }, path, newAddress())).status).toBe(200);
    },
  );

  it("is limited when it guesses ACTUATOR_TOKEN, and not limited when it has the token", async () => {
    const replaced = { OPERATIONS_RATE: new SmallRate(2), ACTUATOR_TOKEN: "the-token" };
    const address = newAddress();
    const guesses = await sendSequentially(5, () => ask(replaced, "info", address, "a-guess"));
    expect(tally(guesses)).toEqual({ "401 UNAUTHORIZED": 3, [TOO_MANY]: 2 });
    const right = await sendSequentially(5, () => ask(replaced, "info", address, "the-token"));
    expect(tally(right)).toEqual({ "200": 5 });
  });
});

describe("a rate limit binding that fails", () => {
  it("limits no IP address, while the account lockout still works", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { email } = await member("VIEWER", PASSWORD);
    // After a failed call, the isolate does not call the rate limit binding again until the minute ends.
    // For the other tests of this isolate, that minute is over.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 120_000 });
    const FAILURE_RATE = new SmallRate(0);
    FAILURE_RATE.works = false;
    const address = newAddress();
    const answers = await sendSequentially(12, () =>
      login({ FAILURE_RATE }, email, "wrong", address),
    );
    expect(tally(answers)).toEqual({ "401 INVALID_CREDENTIALS": 10, [TOO_MANY]: 2 });
    vi.useRealTimers();
    warn.mockRestore();
  });
});
