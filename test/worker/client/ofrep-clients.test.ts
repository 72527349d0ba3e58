import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";
import { asAdmin } from "../support/outcomes.ts";
import { callIn } from "../support/call-with.ts";
import { call } from "../support/client.ts";
import { fail, type Fault, faultyEnvironment, hang } from "../support/faulty-bindings.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

const ONE = "/api/ofrep/v1/evaluate/flags/on";
const ALL = "/api/ofrep/v1/evaluate/flags";
const STALE = '110 - "Response is Stale"';
const FAULTS: readonly (readonly [string, Fault])[] = [
  ["fails", fail],
  ["hangs", hang],
];

const { env: faulty, at, heal } = faultyEnvironment();
afterEach(heal);

const breakDatabase = (fault: Fault) => {
  at.DB.fault = fault;
  at.BATCHES.fault = fault;
};

const post = (path: string, token: string, headers: Record<string, string> = {}) =>
  callIn(faulty, "POST", path, { token, headers, body: { context: { targetingKey: "ann" } } });

/** Creates an environment whose rules and API key are in KV. */
async function stored() {
  const world = await newWorld();
  const flag = await newFlag(world.projectId, { key: "on" });
  await setStrategy(flag.id, { environmentId: world.environmentId, enabled: true });
  const names = [snapshotKey(world.environmentId), `key:${await sha256(world.apiKey)}`];
  const values = () => Promise.all(names.map((name) => env.EDGE.get(name)));
  await expect.poll(async () => (await values()).every((value) => value !== null)).toBe(true);
  return world;
}

// OpenFeature clients treat every status but 200 and 304 as a failure of all flags, and 401 and 403
// as final.
describe.each(FAULTS)("while the database %s, OFREP", (_, fault) => {
  it("answers from the rules in memory, marked as stale", async () => {
    const { apiKey } = await stored();
    const before = await post(ALL, apiKey);
    breakDatabase(fault);
    // The lease of the key ends, and its next check fails.
    await expect
      .poll(async () => (await post(ALL, apiKey)).headers.get("Warning"), { timeout: 60_000 })
      .toBe(STALE);
    for (const path of [ONE, ALL]) {
      const { status, headers } = await post(path, apiKey);
      expect([status, headers.get("Warning")]).toEqual([200, STALE]);
    }
    expect((await post(ALL, apiKey)).body).toEqual(before.body);
    const etag = before.headers.get("ETag") ?? "";
    expect((await post(ALL, apiKey, { "If-None-Match": etag })).status).toBe(304);
  });

  it("answers from KV for a key that is new to the isolate", async () => {
    const { apiKey } = await stored();
    breakDatabase(fault);
    const { status, headers, body } = await post(ONE, apiKey);
    expect([status, headers.get("Warning"), body.value]).toEqual([200, STALE, true]);
  });

  it("answers 503, and not 401, for a key that neither memory nor KV knows", async () => {
    breakDatabase(fault);
    const { status, headers, body } = await post(ONE, "u".repeat(63) + (fault === fail ? 1 : 2));
    expect([status, body.key, body.errorCode]).toEqual([503, "on", "GENERAL"]);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});

describe("OFREP for OpenFeature clients", () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  beforeAll(async () => {
    world = await newWorld();
    await newFlag(world.projectId, { key: "on" });
  });

  it.each(["/api/ofrep/v1", "/ofrep/v1"])(
    "sends Content-Type: application/json with every 200 under %s",
    async (root) => {
      for (const path of ["", "/on"])
        for (const context of [{}, { targetingKey: "ann" }]) {
          const answer = await call("POST", `${root}/evaluate/flags${path}`, {
            token: world.apiKey,
            body: { context },
          });
          expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
            200,
            "application/json",
          ]);
        }
    },
  );

  it("accepts a new key at once, and answers 401 once it is deleted", async () => {
    const statusOf = async (token: string) =>
      (await call("POST", ALL, { token, body: { context: {} } })).status;
    const { id, apiKey } = await newKey(world.environmentId, "FRONTEND");
    expect(await statusOf(apiKey)).toBe(200);
    await asAdmin("DELETE", `/api/v1/api-keys/${id}`);
    expect(await statusOf(apiKey)).toBe(401);
  });

  it("lets pages of other origins read its errors, with their Retry-After", async () => {
    const { apiKey } = await newKey(world.environmentId);
    const limited = { ...env, CLIENT_KEY_RATE: { limit: async () => ({ success: false }) } };
    const headers = { Origin: "https://shop.test" };
    const send = (isolate: Env, path: string, token: string | undefined, body: object | string) =>
      callIn(isolate, "POST", path, { token, headers, body });
    const context = { context: {} };
    const errors = [
      await send(env, ALL, undefined, context),
      await send(env, ALL, apiKey, "{"),
      await send(env, `${ALL}/unknown`, apiKey, context),
    ];
    // An isolate asks the binding once for ten requests of a key.
    for (let n = 0; n < 20; n++) errors.push(await send(limited, ALL, apiKey, context));
    const refused = errors.filter(({ status }) => status !== 200);
    const statuses = new Set(refused.map(({ status }) => status));
    expect([...statuses]).toEqual([401, 400, 404, 429]);
    for (const { status, headers: received, body } of refused) {
      expect(received.get("Access-Control-Allow-Origin")).toBe("*");
      expect(received.get("Access-Control-Expose-Headers")).toContain("Retry-After");
      expect(received.has("Retry-After")).toBe(status === 429);
      expect(body.errorCode).toEqual(expect.any(String));
    }
  });
});
