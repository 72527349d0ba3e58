import { describe, expect, it, vi } from "vitest";
import { WEIGHT } from "../../../src/client/edge/edge.ts";
import { outcome, tally } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { fileOf, newShop } from "../support/files.ts";
import { person } from "../support/people.ts";
import {
  from,
  sendSequentially,
  MINUTE_MS,
  newAddress,
  SmallRate,
  standAtHalfAMinute,
  TOO_MANY,
  waitOf,
} from "../support/rates.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import { newKey, newWorld } from "../support/world.ts";
import { responseWith, callWith } from "../support/call-with.ts";

standAtHalfAMinute();

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the management API", () => {
  const list = (MANAGEMENT_RATE: SmallRate, token: string) =>
    callWith({ MANAGEMENT_RATE }, "GET", "/api/v1/flags", { token });

  it("returns 429 to a user who has sent too many requests until the minute is over", async () => {
    const { token } = await person("VIEWER");
    const rate = new SmallRate(3);
    const answers = await sendSequentially(6, () => list(rate, token));
    // The fourth request exceeds the limit but succeeds, because a request is counted after its
    // response.
    expect(tally(answers)).toEqual({ "200": 4, [TOO_MANY]: 2 });
    expect(answers.map(waitOf).slice(4)).toEqual([30, 30]);
    pass(29_999);
    expect(outcome(await list(rate, token))).toBe(TOO_MANY);
    pass(1);
    expect(outcome(await list(rate, token))).toBe("200");
  });

  it("returns 429 to a limited user before it checks permissions or the body", async () => {
    const { token } = await person("VIEWER");
    const rate = new SmallRate(0);
    await list(rate, token);
    const answer = await callWith({ MANAGEMENT_RATE: rate }, "POST", "/api/v1/flags", {
      token,
      body: "{",
    });
    expect(outcome(answer)).toBe(TOO_MANY);
  });

  it("counts the requests of each user, each token and each API key separately", async () => {
    const rate = new SmallRate(0);
    const [one, other] = [await person("VIEWER"), await person("VIEWER")];
    const { apiKey, keyId } = await newWorld();
    const own = await newToken({ userId: one.id, scopes: ["read"] });
    const account = await newServiceAccount("VIEWER", null);
    const ofAccount = await newToken({ serviceAccountId: account, scopes: ["read"] });
    for (const token of [one.token, other.token, apiKey, own.token, ofAccount.token])
      expect(outcome(await list(rate, token))).toBe("200");
    const tokens = [`token ${own.id}`, `token ${ofAccount.id}`];
    expect(rate.asked).toEqual([`user ${one.id}`, `user ${other.id}`, `key ${keyId}`, ...tokens]);
    for (const token of [apiKey, own.token, ofAccount.token])
      expect(outcome(await list(rate, token))).toBe(TOO_MANY);
  });

  it("counts exports, plans and applies of files at a rate of their own", async () => {
    const shop = await newShop();
    const { token } = await person("DEVELOPER");
    const FILE_RATE = new SmallRate(2);
    const send = (method: string, verb: string, body?: object) =>
      callWith({ FILE_RATE }, method, `/api/v1/projects/${shop.id}/${verb}`, { token, body });
    const file = fileOf(shop, {});
    expect(outcome(await send("GET", "export"))).toBe("200");
    expect(outcome(await send("POST", "plan", { file }))).toBe("200");
    expect(outcome(await send("POST", "apply", { file }))).toBe("400 BAD_REQUEST");
    for (const [method, verb] of [
      ["GET", "export"],
      ["POST", "plan"],
      ["POST", "apply"],
    ] as const) {
      const refused = await send(method, verb, method === "POST" ? { file } : undefined);
      expect([outcome(refused), waitOf(refused)]).toEqual([TOO_MANY, 30]);
    }
    expect(outcome(await list(new SmallRate(1), token))).toBe("200");
    const other = await person("DEVELOPER");
    const path = `/api/v1/projects/${shop.id}/export`;
    expect(outcome(await callWith({ FILE_RATE }, "GET", path, { token: other.token }))).toBe("200");
  });

  it("serves all requests while the rate limit binding fails, and logs the fault once in a minute", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    // After a failed call, the isolate calls no counter until the minute ends. For all other tests of the
    // isolate, that minute is over.
    pass(-10 * MINUTE_MS);
    const { token } = await person("VIEWER");
    const rate = new SmallRate(0);
    rate.works = false;
    expect(tally(await sendSequentially(5, () => list(rate, token)))).toEqual({ "200": 5 });
    expect(warn.mock.calls.filter(([line]) => String(line).includes("rate limit"))).toHaveLength(1);
    warn.mockRestore();
  });

  it("serves all requests without the rate limit binding", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    pass(-8 * MINUTE_MS);
    const { token } = await person("VIEWER");
    const none = undefined as unknown as SmallRate;
    expect(tally(await sendSequentially(3, () => list(none, token)))).toEqual({ "200": 3 });
    warn.mockRestore();
  });
});

describe("the client API", () => {
  const evaluate = async (replaced: Partial<Env>, token: string, address = newAddress()) => {
    const options = { token, body: { context: {} }, headers: from(address) };
    // Does not wait for the work after the response: the isolate collects the times of key uses for
    // 2 s before it sends them.
    return (await responseWith(replaced, "POST", "/api/client/evaluate", options)).answer;
  };

  it("returns 429 to an API key with too many requests, and calls the rate limit binding once for 10 requests", async () => {
    const { apiKey, keyId } = await newWorld();
    const CLIENT_KEY_RATE = new SmallRate(1);
    const answers = await sendSequentially(3 * WEIGHT, () => evaluate({ CLIENT_KEY_RATE }, apiKey));
    expect(tally(answers)).toEqual({ "200": 2 * WEIGHT, [TOO_MANY]: WEIGHT });
    expect(waitOf(answers.at(-1)!)).toBeGreaterThan(0);
    expect(CLIENT_KEY_RATE.asked).toEqual([String(keyId), String(keyId)]);
    const features = await call("GET", "/api/client/features", { token: apiKey });
    expect(outcome(features)).toBe(TOO_MANY);
  });

  it("returns 429 with CORS headers to an IP address that sends too many requests with a FRONTEND key, and serves other addresses", async () => {
    const { environmentId } = await newWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const CLIENT_BROWSER_RATE = new SmallRate(0);
    const address = newAddress();
    await sendSequentially(WEIGHT, () => evaluate({ CLIENT_BROWSER_RATE }, apiKey, address));
    const headers = { ...from(address), Origin: "https://shop.example.com" };
    const refused = await call("POST", "/api/client/evaluate", { token: apiKey, headers });
    expect(outcome(refused)).toBe(TOO_MANY);
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(refused.headers.get("Access-Control-Expose-Headers")).toContain("Retry-After");
    expect(outcome(await evaluate({}, apiKey))).toBe("200");
  });
});
