import { InMemStorageProvider, Unleash, UnleashEvents } from "unleash-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { moduleOf } from "../../scripts/service/modules.ts";
import { type Runtime, SECRETS, startAccount } from "../../scripts/service/runtime.ts";
import { WEIGHT } from "../../src/client/edge/edge.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { send, Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { workerModules } from "./support/bundle.ts";

/**
 * The entry of the service in this test. `GET /mode/limited` makes it reject the requests of API keys
 * as too many, and `GET /mode/down` takes away its database and KV.
 */
const ENTRY = `import * as service from "./worker.js";
export * from "./worker.js";
const fail = () => {
  throw new Error("D1_ERROR: Network connection lost.");
};
const nothing = async () => null;
const rate = (success) => ({ CLIENT_KEY_RATE: { limit: async () => ({ success }) } });
const MODES = {
  works: rate(true),
  limited: rate(false),
  down: {
    ...rate(true),
    DB: { prepare: fail, withSession: fail },
    EDGE: { get: nothing, put: nothing, delete: nothing },
  },
};
let mode = MODES.works;
export default {
  ...service.default,
  fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith("/mode/")) return service.default.fetch(request, { ...env, ...mode }, ctx);
    mode = MODES[pathname.slice("/mode/".length)];
    return new Response();
  },
};`;

const POLL_MS = 200;
const USERS = Array.from({ length: 50 }, (_, n) => `user-${n}`);

interface Item {
  readonly id: number;
  readonly apiKey: string;
}

let runtime: Runtime;
let address: string;
let session: Session;
let projectId: number;
let environmentId: number;
let flagId: number;

beforeAll(async () => {
  const modules = [moduleOf("entry.js", ENTRY), ...(await workerModules())];
  runtime = await startAccount(ROOT, { name: "feature-flags", modules }, []);
  await migrate(await runtime.miniflare.getD1Database("DB"), ROOT);
  address = `http://127.0.0.1:${runtime.ports[0]}`;
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
  const opened = await Session.open(address, { email, password });
  if (!opened) throw new Error("the sign-in failed");
  session = opened;
  ({ id: projectId } = await session.post<Item>("/projects", { name: "Shop" }));
  const environment = { name: "production", projectId };
  ({ id: environmentId } = await session.post<Item>("/environments", environment));
  flagId = await newFlag("new-checkout", {}, { percentage: 50 });
  const variants = ["blue", "grey"].map((key) => ({ key, value: `the colour ${key}` }));
  await newFlag("colour", { valueType: "string", variants }, { serve: { variant: "blue" } });
});

afterAll(() => runtime.miniflare.dispose());

async function newFlag(key: string, more: object, strategy: object): Promise<number> {
  const flag = { key, name: key, flagType: "RELEASE", projectId, ...more };
  const { id } = await session.post<Item>("/flags", flag);
  await setStrategy(id, strategy);
  return id;
}

const setStrategy = (id: number, strategy: object) =>
  session.put(`/flags/${id}/strategies`, { environmentId, enabled: true, ...strategy });

const newKey = async (): Promise<string> =>
  (await session.post<Item>("/api-keys", { name: "Shop", keyType: "SERVER", environmentId }))
    .apiKey;

const become = (mode: "works" | "limited" | "down") => fetch(`${address}/mode/${mode}`);

/** Returns for whom a flag is on, evaluated by the service. */
async function usersWith(token: string, key: string): Promise<string[]> {
  const on: string[] = [];
  for (const userId of USERS) {
    const body = { context: { userId }, toggles: [key] };
    const { body: answer } = await send(`${address}/api/client/evaluate`, {
      method: "POST",
      token,
      body,
    });
    const { evaluations } = answer as { evaluations: Record<string, { enabled: boolean }> };
    if (evaluations[key]?.enabled) on.push(userId);
  }
  return on;
}

const countsOf = async (): Promise<unknown> =>
  (
    await session.get<{ totals: unknown }>(
      `/flags/${flagId}/metrics?environmentId=${environmentId}`,
    )
  ).totals;

describe("unleash-client", () => {
  const started: Unleash[] = [];
  afterEach(async () => {
    await become("works");
    for (const one of started.splice(0)) one.destroy();
  });

  function start(token: string, appName: string) {
    const unleash = new Unleash({
      url: `${address}/api/unleash`,
      appName,
      instanceId: `${appName}-1`,
      customHeaders: { Authorization: token },
      refreshInterval: POLL_MS,
      metricsInterval: POLL_MS,
      storageProvider: new InMemStorageProvider(),
      skipInstanceCountWarning: true,
    });
    started.push(unleash);
    const messages: string[] = [];
    const seen = new Set<UnleashEvents>();
    for (const event of Object.values(UnleashEvents))
      unleash.on(event, (given: unknown) => {
        seen.add(event);
        if (event === UnleashEvents.Warn || event === UnleashEvents.Error)
          messages.push(String(given));
      });
    const has = (event: UnleashEvents) => () => seen.has(event);
    return { unleash, seen, has, said: () => messages.join("\n") };
  }

  it("registers, evaluates like the service, gets 304, learns of a change, and reports its counts", async () => {
    const token = await newKey();
    const { unleash, seen, has } = start(`*:production.${token}`, "shop");
    await expect.poll(has(UnleashEvents.Registered)).toBe(true);
    await expect.poll(has(UnleashEvents.Synchronized)).toBe(true);
    const on = USERS.filter((userId) => unleash.isEnabled("new-checkout", { userId }));
    expect(on).toEqual(await usersWith(token, "new-checkout"));
    expect(on.length).toBeGreaterThan(0);
    expect(unleash.getVariant("colour", { userId: "ann" })).toMatchObject({
      name: "blue",
      payload: { type: "string", value: "the colour blue" },
    });
    await expect.poll(has(UnleashEvents.Unchanged)).toBe(true);
    seen.delete(UnleashEvents.Changed);
    await setStrategy(flagId, { percentage: 100 });
    await expect.poll(has(UnleashEvents.Changed)).toBe(true);
    expect(USERS.every((userId) => unleash.isEnabled("new-checkout", { userId }))).toBe(true);
    await expect.poll(has(UnleashEvents.Sent)).toBe(true);
    const t = on.length + USERS.length;
    await expect.poll(countsOf).toMatchObject({ t, f: USERS.length - on.length });
    expect(await session.get<unknown[]>(`/projects/${projectId}/client-instances`)).toMatchObject([
      {
        appName: "shop",
        instanceId: "shop-1",
        sdkVersion: expect.stringMatching(/^unleash-node-sdk:6\./) as string,
        sdkFeatures: ["rules", "unleash", "unleash-variants"],
      },
    ]);
  });

  it("stops polling with 401 when its key is unknown", async () => {
    const { said } = start("x".repeat(64), "unknown");
    await expect.poll(said).toContain("responded 401");
  });

  it("keeps polling after 503, and gets the rules once the database works again", async () => {
    const token = await newKey();
    await become("down");
    const { has, said } = start(token, "early");
    await expect.poll(said).toContain("responded 503. Backing off");
    await become("works");
    await expect.poll(has(UnleashEvents.Synchronized)).toBe(true);
  });

  it("backs off after 429", async () => {
    const token = await newKey();
    await become("limited");
    // The isolate asks the rate limit once for WEIGHT requests of a key.
    const request = { headers: { Authorization: token } };
    for (let sent = 0; sent < WEIGHT; sent++)
      await fetch(`${address}/api/unleash/client/features`, request);
    const { said } = start(token, "flood");
    await expect.poll(said).toContain("responded TOO_MANY_CONNECTIONS (429). Backing off");
  });
});
