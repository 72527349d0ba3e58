import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { callSending } from "../support/queue.ts";
import { countsOf, newVariantFlag, usedWorld, variantCountsOf } from "../support/usage.ts";
import { call } from "../support/client.ts";
import { newKey } from "../support/world.ts";

const METRICS = "/api/unleash/client/metrics";
const HEADERS = {
  "UNLEASH-INSTANCEID": "shop-1",
  "unleash-connection-id": "connection-1",
  "unleash-appname": "shop",
  "unleash-sdk": "unleash-node-sdk:6.12.1",
};

const send = (apiKey: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  callSending("POST", path, { headers: { Authorization: apiKey, ...headers }, body });

describe("a usage report of an Unleash SDK", () => {
  it("is counted: yes as true, no as false, and the variants except `disabled`", async () => {
    const { apiKey, projectId, environmentId, a } = await usedWorld();
    const colour = await newVariantFlag(projectId, ["blue", "grey"]);
    const odd = await newVariantFlag(projectId, ["disabled", "other"]);
    const toggles = {
      [a.key]: { yes: 3, no: 4, variants: {} },
      [colour.key]: { yes: 5, no: 1, variants: { blue: 5, disabled: 1 } },
      [odd.key]: { yes: 2, no: 0, variants: { disabled: 2 } },
      "no-flag": { yes: 1, no: 1 },
    };
    const body = { appName: "shop", instanceId: "shop-1", bucket: { toggles } };
    const answer = await call("POST", METRICS, { token: apiKey, body });
    expect([answer.status, answer.body]).toEqual([202, ""]);
    await expect.poll(() => countsOf(a.id, environmentId)).toEqual([3, 4]);
    expect(await variantCountsOf(colour.id, environmentId)).toEqual({ blue: 5 });
    expect(await variantCountsOf(odd.id, environmentId)).toEqual({ disabled: 2 });
  });

  it.each([
    ["no bucket", {}],
    ["bucket: null", { bucket: null }],
    ["a bucket without toggles", { bucket: { start: 1, stop: 2 } }],
    ["a list of toggles", { bucket: { toggles: [1] } }],
    ["a body that is a list", []],
    ["a body that is null", null],
  ])("is accepted with 202 and counts nothing: %s", async (_, body) => {
    const { apiKey } = await usedWorld();
    const { answer, reports } = await send(apiKey, METRICS, body);
    expect([answer.status, answer.body, reports]).toEqual([202, "", []]);
  });

  it("is counted without its entries that are not valid, or beyond the limits", async () => {
    const { apiKey, a, b } = await usedWorld();
    const bad = [null, 5, { yes: -1, no: 0 }, { yes: 1.5, no: 0 }, { yes: "1", no: 0 }];
    const variants = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`v${n}`, 1]));
    const toggles = {
      ...Object.fromEntries(bad.map((entry, n) => [`bad-${n}`, entry])),
      [b.key]: { yes: -1, no: 1 },
      [a.key]: { yes: 2, variants: { ...variants, "not a key": 1, half: 0.5 } },
      ...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`x${n}`, { yes: 1 }])),
    };
    const { answer, reports } = await send(apiKey, METRICS, { bucket: { toggles } });
    expect(answer.status).toBe(202);
    expect(reports.flatMap(({ evaluations }) => evaluations)).toEqual([
      [a.key, 2, 0, Object.fromEntries(Object.entries(variants).slice(0, 50))],
    ]);
  });

  it("returns 400 for a body that is not JSON, which no SDK sends", async () => {
    const { apiKey } = await usedWorld();
    expect(outcome(await call("POST", METRICS, { token: apiKey, body: "{" }))).toBe(
      "400 BAD_REQUEST",
    );
  });

  it("names the application, and only with a SERVER key the instance", async () => {
    const { apiKey, environmentId, a } = await usedWorld();
    const { apiKey: frontend } = await newKey(environmentId, "FRONTEND");
    const body = {
      appName: "in-the-body",
      instanceId: "browser",
      bucket: { toggles: { [a.key]: { yes: 1, no: 0 } } },
    };
    const by = async (key: string, path: string, headers = {}) => {
      const { reports, instances } = await send(key, path, body, headers);
      return [...reports.map((one) => [one.appName, one.instanceId]), instances.length];
    };
    const PATH = "/api/unleash/frontend/client/metrics";
    expect(await by(apiKey, METRICS, HEADERS)).toEqual([["shop", "shop-1"], 1]);
    expect(await by(apiKey, METRICS)).toEqual([["in-the-body", "browser"], 1]);
    expect(await by(frontend, PATH, HEADERS)).toEqual([["shop", ""], 0]);
    expect(await by(frontend, PATH)).toEqual([["in-the-body", ""], 0]);
  });
});

describe("an instance of an Unleash SDK", () => {
  const seen = async (
    apiKey: string,
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ) => {
    const { answer, instances } = await send(apiKey, path, body, headers);
    expect([answer.status, answer.body]).toEqual([202, ""]);
    return instances;
  };
  const register = (apiKey: string, headers: Record<string, string>, body: unknown = {}) =>
    seen(apiKey, "/api/unleash/client/register", headers, body);

  it("is recorded when it registers, with its SDK and the feature mark `unleash`", async () => {
    const { apiKey, environmentId } = await usedWorld();
    expect(await register(apiKey, HEADERS)).toEqual([
      {
        environmentId,
        appName: "shop",
        instanceId: "shop-1",
        sdkVersion: "unleash-node-sdk:6.12.1",
        sdkFeatures: ["rules", "unleash"],
        revision: null,
        at: expect.any(Number) as number,
      },
    ]);
  });

  it("is named by its connection id without an instance id, and by the body without headers", async () => {
    const { apiKey } = await usedWorld();
    const { "UNLEASH-INSTANCEID": _, ...rest } = HEADERS;
    expect(await register(apiKey, rest)).toMatchObject([{ instanceId: "connection-1" }]);
    const body = { appName: "app", instanceId: "i", sdkVersion: "unleash-client-python:5", x: 1 };
    expect(await register(apiKey, {}, body)).toMatchObject([
      { appName: "app", instanceId: "i", sdkVersion: "unleash-client-python:5" },
    ]);
    expect(await register(apiKey, {}, { instanceId: 5, appName: ["a"] })).toEqual([]);
  });

  it("is not recorded with a FRONTEND key", async () => {
    const { environmentId } = await usedWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const path = "/api/unleash/frontend/client/register";
    expect(await seen(apiKey, path, HEADERS, {})).toEqual([]);
  });
});
