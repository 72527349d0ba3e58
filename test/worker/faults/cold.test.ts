import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { outcome } from "../support/outcomes.ts";
import {
  fail,
  type Fault,
  faultyEnvironment,
  garbage,
  hang,
  MALFORMED,
  slow,
} from "../support/faulty-bindings.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newWorld } from "../support/world.ts";
import { responseWith, callWith } from "../support/call-with.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";

const world = faultyEnvironment();

const features = async (token: string) =>
  (await responseWith(world.env, "GET", "/api/client/features", { token })).answer;

const evaluated = async (token: string, flagKey: string) => {
  const path = `/api/ofrep/v1/evaluate/flags/${flagKey}`;
  const options = { token, body: { context: {} } };
  return (await responseWith(world.env, "POST", path, options)).answer;
};

/**
 * Creates an environment with a flag and an API key, both in KV, but not in the memory of this
 * isolate.
 */
async function unseen() {
  const made = await newWorld();
  const flag = await newFlag(made.projectId);
  const { apiKey, environmentId } = made;
  const stored = async () => [
    await env.EDGE.get(snapshotKey(environmentId)),
    await env.EDGE.get(`key:${await sha256(apiKey)}`),
  ];
  await expect.poll(async () => (await stored()).every((one) => one !== null)).toBe(true);
  return { ...made, flag };
}

const breakDatabase = (fault: Fault) => {
  world.at.DB.fault = fault;
  world.at.BATCHES.fault = fault;
};

afterEach(() => world.heal());

const FAULTS: readonly (readonly [string, Fault])[] = [
  ["fails", fail],
  ["hangs", hang],
  ["takes too long", slow(3_000)],
  ...Object.entries(MALFORMED).map(([name, value]) => [`returns ${name}`, garbage(value)] as const),
];

describe("an API key that is new to the isolate", () => {
  it.each(FAULTS)(
    "gets the rules from KV, marked as stale, after one query, while the database %s",
    async (_, fault) => {
      const { apiKey, flag } = await unseen();
      breakDatabase(fault);
      const before = world.at.DB.met + world.at.BATCHES.met;
      const answer = await features(apiKey);
      expect([outcome(answer), answer.body[0]?.key]).toEqual(["200", flag.key]);
      expect(answer.headers.get("Warning")).toBe('110 - "Response is Stale"');
      expect(world.at.DB.met + world.at.BATCHES.met - before).toBe(1);
    },
  );

  it.each(FAULTS.slice(0, 2))(
    "gets the evaluations of OFREP from KV, marked as stale, while the database %s",
    async (_, fault) => {
      const { apiKey, flag } = await unseen();
      breakDatabase(fault);
      const { status, headers, body } = await evaluated(apiKey, flag.key);
      expect([status, body]).toMatchObject([200, { key: flag.key, value: false }]);
      expect(headers.get("Warning")).toBe('110 - "Response is Stale"');
    },
  );

  it.each(FAULTS.slice(0, 2))(
    "gets rules without a Warning again after a fault in which the database %s",
    async (_, fault) => {
      const { apiKey } = await unseen();
      breakDatabase(fault);
      await features(apiKey);
      world.heal();
      const warning = async () => (await features(apiKey)).headers.get("Warning");
      await expect.poll(warning).toBeNull();
    },
  );

  it.each(FAULTS)(
    "gets 503 with Retry-After when KV does not have the API key and the database %s",
    async (_, fault) => {
      const { apiKey } = await unseen();
      await env.EDGE.delete(`key:${await sha256(apiKey)}`);
      breakDatabase(fault);
      const answer = await features(apiKey);
      expect([outcome(answer), answer.headers.get("Retry-After")]).toEqual([
        "503 SERVICE_UNAVAILABLE",
        "5",
      ]);
      // OpenFeature clients treat 401 as final, and any other error as temporary.
      const { status, body } = await evaluated(apiKey, "on");
      expect([status, body.key, body.errorCode]).toEqual([503, "on", "GENERAL"]);
    },
  );
});

describe("a damaged snapshot in KV", () => {
  const spoil = async (environmentId: number, change: (text: string) => string) => {
    const text = (await env.EDGE.get(snapshotKey(environmentId))) ?? "";
    await env.EDGE.put(snapshotKey(environmentId), change(text));
  };

  it.each<[string, (text: string) => string]>([
    ["a text that is cut in half", (text) => text.slice(0, text.length / 2)],
    ["a snapshot with a changed rule", (text) => text.replace("A flag", "B flag")],
    ["an HTML page", () => "<html>"],
    ["null", () => "null"],
    [
      "a snapshot with an invalid revision",
      (text) => text.replace(/"revision":\d+/, '"revision":"9"'),
    ],
    [
      "a snapshot of another environment",
      (text) => text.replace(/"environmentId":\d+/, '"environmentId":1'),
    ],
  ])("is replaced by the rules of the database when it is %s", async (_, change) => {
    const { apiKey, environmentId, flag } = await unseen();
    await spoil(environmentId, change);
    const answer = await features(apiKey);
    expect([outcome(answer), answer.body[0]?.key, answer.body[0]?.name]).toEqual([
      "200",
      flag.key,
      "A flag",
    ]);
    expect(answer.headers.get("Warning")).toBeNull();
  });

  it("leads to 503 while the database fails", async () => {
    const { apiKey, environmentId } = await unseen();
    await spoil(environmentId, (text) => text.replace("A flag", "B flag"));
    breakDatabase(fail);
    expect(outcome(await features(apiKey))).toBe("503 SERVICE_UNAVAILABLE");
  });
});

describe("a deleted API key", () => {
  it("is rejected, and removed from KV by the next poll, when KV failed during the deletion", async () => {
    const { apiKey, keyId } = await unseen();
    world.at.EDGE.fault = fail;
    const options = { token: await adminToken() };
    const answer = await callWith(world.env, "DELETE", `/api/v1/api-keys/${keyId}`, options);
    expect(outcome(answer)).toBe("204");
    world.heal();
    const stored = async () => env.EDGE.get(`key:${await sha256(apiKey)}`);
    expect(await stored()).not.toBeNull();
    expect((await poll(apiKey)).status).toBe(401);
    await expect.poll(stored).toBeNull();
  });

  it("is still rejected when the database fails after the deletion", async () => {
    const { apiKey, keyId } = await unseen();
    await poll(apiKey);
    const options = { token: await adminToken() };
    await callWith(world.env, "DELETE", `/api/v1/api-keys/${keyId}`, options);
    breakDatabase(fail);
    expect(outcome(await features(apiKey))).toBe("401 UNAUTHORIZED");
  });
});
