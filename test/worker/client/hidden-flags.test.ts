import { exports } from "cloudflare:workers";
import type { FlagsBinding } from "@feature-flags/sdk/binding";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json, request } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { countsOf, variantCountsOf } from "../support/usage.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

// A flag with `clients: "server"` does not exist for a FRONTEND key: each surface answers for its key
// as for a key that no flag has.

const SHOWN = "shown";
/** The keys have the same length, so that the bodies do, too. */
const HIDDEN = "hidden-flag";
const ARCHIVED = "hidden-gone";
const UNKNOWN = "unknown-key";

const CONTEXT = { targetingKey: "ann" };
const EVALUATE = "/api/client/evaluate";
const OFREP = "/api/ofrep/v1/evaluate/flags";
const UNLEASH = "/api/unleash/frontend";

let world: { projectId: number; environmentId: number; apiKey: string };
let frontend: string;
const flagIds = new Map<string, number>();

async function addFlag(key: string, more: object = {}): Promise<void> {
  const { id } = await newFlag(world.projectId, { key, ...more });
  flagIds.set(key, id);
  await setStrategy(id, { environmentId: world.environmentId, enabled: true });
}

beforeAll(async () => {
  world = await newWorld();
  frontend = (await newKey(world.environmentId, "FRONTEND")).apiKey;
  const values = {
    valueType: "string",
    variants: [
      { key: "blue", value: "secret-blue" },
      { key: "disabled", value: "secret-none" },
    ],
  };
  await addFlag(SHOWN);
  await addFlag(HIDDEN, { ...values, clients: "server" });
  await addFlag(ARCHIVED, { clients: "server" });
  await asAdmin("POST", `/api/v1/flags/${flagIds.get(ARCHIVED)}/archive`);
});

/** The headers of a response that differ from request to request, whatever the request is about. */
const OF_REQUEST = new Set(["x-b3-traceid", "x-b3-spanid", "date", "x-d1-bookmark"]);

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly token?: string;
}

/** Returns all that a caller can see of a response, with the text of `key` replaced by `KEY`. */
async function seen(path: string, key: string, { method = "POST", ...sent }: Sent = {}) {
  const { token = frontend, ...more } = sent;
  const response = await exports.default.fetch(request(method, path, { token, ...more }));
  const text = (await response.text())
    .replace(/"traceId":"[0-9a-f]+"/, '"traceId":""')
    .replaceAll(key, "KEY");
  const headers = [...response.headers].filter(([name]) => !OF_REQUEST.has(name));
  return { status: response.status, headers, text };
}

/** Expects that a request about each hidden flag gets the same answer as one about an unknown key. */
async function expectUnknown(path: (key: string) => string, sent: (key: string) => Sent) {
  const unknown = await seen(path(UNKNOWN), UNKNOWN, sent(UNKNOWN));
  for (const key of [HIDDEN, ARCHIVED])
    expect(await seen(path(key), key, sent(key))).toEqual(unknown);
  return unknown;
}

const ETAG = '"1-0"';

describe("a FRONTEND key gets the same answer for a hidden, an archived hidden and an unknown key", () => {
  it.each<[string, (key: string) => string, (key: string) => Sent]>([
    [
      "evaluate with toggles",
      () => EVALUATE,
      (key) => ({ body: { context: CONTEXT, toggles: [key] } }),
    ],
    [
      "evaluate with 1,000 toggles",
      () => EVALUATE,
      (key) => ({
        body: {
          context: CONTEXT,
          toggles: [...Array(999).keys()].map((n) => `${key}${n}`).concat(key),
        },
      }),
    ],
    ["OFREP", (key) => `${OFREP}/${key}`, () => ({ body: { context: CONTEXT } })],
    [
      "OFREP from a page, with an ETag",
      (key) => `${OFREP}/${key}`,
      () => ({
        body: { context: CONTEXT },
        headers: { "If-None-Match": ETAG, Origin: "https://shop.example" },
      }),
    ],
    [
      "OFREP without a targeting key",
      (key) => `${OFREP}/${key}`,
      () => ({ body: { context: {} } }),
    ],
    ["OFREP with GET", (key) => `${OFREP}/${key}`, () => ({ method: "GET" })],
    ["OFREP with HEAD", (key) => `${OFREP}/${key}`, () => ({ method: "HEAD" })],
    [
      "the front-end API of Unleash",
      () => `${UNLEASH}/client/metrics`,
      (key) => ({
        body: { bucket: { toggles: { [key]: { yes: 1, no: 1, variants: { disabled: 1 } } } } },
      }),
    ],
    ["the rules", (key) => `/api/client/features?flag=${key}`, () => ({ method: "GET" })],
    [
      "the manifest",
      (key) => `/api/openfeature/v0/manifest?flag=${key}`,
      () => ({ method: "GET" }),
    ],
    [
      "the management API",
      (key) => `/api/v1/flags?search=${key}&projectId=${world.projectId}`,
      () => ({ method: "GET" }),
    ],
    [
      "a usage report",
      () => "/api/client/metrics",
      (key) => ({ body: { evaluations: { [key]: { t: 1, f: 1, v: { blue: 1 } } } } }),
    ],
    [
      "a usage report with known and unknown flags",
      () => "/api/client/metrics",
      (key) => ({ body: { evaluations: { [SHOWN]: { t: 1, f: 0 }, [key]: { t: 1, f: 0 } } } }),
    ],
    [
      "a usage report without counts",
      () => "/api/client/metrics",
      (key) => ({ body: { evaluations: { [key]: { t: 0, f: 0 } } } }),
    ],
  ])("%s", async (_, path, sent) => {
    const { status } = await expectUnknown(path, sent);
    expect(status).not.toBe(500);
  });
});

describe("a FRONTEND key", () => {
  const keysIn = async (token: string) => {
    const evaluated = await call("POST", EVALUATE, { token, body: { context: CONTEXT } });
    const bulk = await call("POST", OFREP, { token, body: { context: CONTEXT } });
    const unleash = await call("GET", `${UNLEASH}?userId=ann`, { token });
    const posted = await call("POST", UNLEASH, { token, body: { context: { userId: "ann" } } });
    expect(posted.body).toEqual(unleash.body);
    return [
      Object.keys(evaluated.body.evaluations),
      bulk.body.flags.map(({ key }: Json) => key),
      unleash.body.toggles.map(({ name }: Json) => name),
    ];
  };

  it("evaluates only the flags that browsers get, and a SERVER key evaluates all", async () => {
    expect(await keysIn(frontend)).toEqual([[SHOWN], [SHOWN], [SHOWN]]);
    const all = [SHOWN, HIDDEN];
    expect(await keysIn(world.apiKey)).toEqual([all, all, all]);
  });

  it("evaluates a flag that requires a hidden flag, and learns nothing of it", async () => {
    const key = "requiring";
    await addFlag(key, { prerequisites: [{ flagKey: HIDDEN, variants: ["disabled"] }] });
    const body = { context: CONTEXT, toggles: [key] };
    const { text } = await seen(EVALUATE, key, { body });
    expect(text).toContain('{"enabled":false,"reason":"PREREQUISITE_FAILED"}');
    const { text: one } = await seen(`${OFREP}/${key}`, key, { body: { context: CONTEXT } });
    expect(`${text}${one}`).not.toMatch(new RegExp(`${HIDDEN}|secret`));
  });

  it("has its reports about hidden flags ignored, and those of a SERVER key are counted", async () => {
    const counts = { t: 2, f: 1 };
    const evaluations = { [HIDDEN]: { ...counts, v: { blue: 2 } }, [ARCHIVED]: counts };
    const report = async (token: string) =>
      (await call("POST", "/api/client/metrics", { token, body: { evaluations } })).body;
    expect(await report(frontend)).toEqual({ accepted: 0, ignored: 2 });
    const toggles = { [HIDDEN]: { yes: 5, no: 5 } };
    const unleash = { token: frontend, body: { bucket: { toggles } } };
    expect((await call("POST", `${UNLEASH}/client/metrics`, unleash)).status).toBe(202);
    expect(await report(world.apiKey)).toEqual({ accepted: 2, ignored: 0 });
    await expect
      .poll(() => variantCountsOf(flagIds.get(HIDDEN) ?? 0, world.environmentId))
      .toEqual({ blue: 2 });
    for (const key of [HIDDEN, ARCHIVED])
      expect(await countsOf(flagIds.get(key) ?? 0, world.environmentId)).toEqual([2, 1]);
  });

  it("learns only that something has changed when a flag becomes hidden, and loses the flag", async () => {
    const key = "soon-hidden";
    await addFlag(key);
    const sent = { body: { context: CONTEXT, toggles: [key] } };
    const before = await call("POST", EVALUATE, { token: frontend, ...sent });
    expect(before.body.evaluations[key].enabled).toBe(true);
    const id = flagIds.get(key);
    expect((await asAdmin("PUT", `/api/v1/flags/${id}`, { clients: "server" })).status).toBe(200);
    await expectUnknownNow(key, sent);
    // The hidden flag changes: a browser sees another revision, and the same verdicts.
    const bulk = () => call("POST", OFREP, { token: frontend, body: { context: CONTEXT } });
    const { body: old } = await bulk();
    await setStrategy(id ?? 0, { environmentId: world.environmentId, percentage: 1 });
    const revision = String(Number(old.metadata.version) + 1);
    const { body: now } = await call("POST", OFREP, {
      token: frontend,
      body: { context: CONTEXT },
      headers: { "X-Min-Revision": revision },
    });
    expect(now.flags).toEqual(old.flags);
  });

  const expectUnknownNow = async (key: string, sent: Sent) => {
    const revision = (await call("GET", "/api/client/features", { token: world.apiKey })).headers;
    const demand = { "X-Min-Revision": revision.get("X-Revision") ?? "" };
    const gone = await seen(EVALUATE, key, { ...sent, headers: demand });
    expect(gone.text).toContain('"KEY":{"enabled":false,"reason":"FLAG_NOT_FOUND"}');
  };
});

describe("a service binding", () => {
  it("gets all flags, and with for: browser those that browsers get", async () => {
    const props = { environment: world.environmentId };
    const binding = exports.Flags({ props }) as unknown as FlagsBinding;
    expect(Object.keys(await binding.all(CONTEXT))).toContain(HIDDEN);
    const results = await binding.all(CONTEXT, { for: "browser" });
    expect(Object.keys(results)).toContain(SHOWN);
    expect(Object.keys(results)).not.toContain(HIDDEN);
    const named = exports.Flags({ props: {} }) as unknown as FlagsBinding;
    const { environmentId: environment } = world;
    expect(await named.all(CONTEXT, { environment, for: "browser" })).toEqual(results);
    expect(Object.keys(await named.all(CONTEXT, environment))).toContain(HIDDEN);
  });
});

describe("a SERVER key", () => {
  it("gets the field as the last one of a rule, and the form 3 in the ETag", async () => {
    const { body, headers } = await call("GET", "/api/client/features", { token: world.apiKey });
    const rule = body.find(({ key }: Json) => key === HIDDEN);
    expect(Object.entries(rule).at(-1)).toEqual(["clients", "server"]);
    expect(body.find(({ key }: Json) => key === SHOWN)).not.toHaveProperty("clients");
    expect(headers.get("ETag")).toMatch(/^"\d+-[0-9a-f]+-3"$/);
  });

  it("leaves hidden flags out of the manifest for browsers, which has an ETag of its own", async () => {
    const read = (query: string) =>
      call("GET", `/api/openfeature/v0/manifest${query}`, { token: world.apiKey });
    const [all, browser] = [await read(""), await read("?clients=browser")];
    const keysOf = ({ body }: Json) => body.flags.map(({ key }: Json) => key);
    expect(keysOf(all)).toContain(HIDDEN);
    expect(keysOf(browser)).toContain(SHOWN);
    expect(keysOf(browser)).not.toContain(HIDDEN);
    expect(browser.headers.get("ETag")).not.toBe(all.headers.get("ETag"));
    expect((await read("?clients=servers")).status).toBe(400);
  });
});
