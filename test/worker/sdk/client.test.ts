import {
  createClient,
  type ClientOptions,
  type EvaluationContext,
  type FlagClient,
} from "@feature-flags/sdk";
import { exports } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { contractViolation } from "../support/api-description.ts";
import { call } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { newFlag, newKey, newSegment, newWorld, setStrategy } from "../support/world.ts";

type World = Awaited<ReturnType<typeof newWorld>>;

const clients: FlagClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A client of the service through its front door. `requests`: method, path and status of each. */
function connect(key: string, options: Partial<ClientOptions> = {}) {
  const requests: string[] = [];
  const violations: string[] = [];
  const client = createClient({
    url: "https://flags.test",
    key,
    logger: { warn: () => {}, error: () => {} },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      const response = await exports.default.fetch(request);
      requests.push(`${method} ${pathname} ${response.status}`);
      const { status, headers } = response;
      const isStream = headers.get("Content-Type") === "text/event-stream";
      const text = isStream ? "" : await response.clone().text();
      const body: unknown = text === "" ? text : JSON.parse(text);
      const wrong = contractViolation(method, pathname + search, { status, headers, body });
      if (wrong !== undefined) violations.push(wrong);
      return response;
    },
    ...options,
  });
  clients.push(client);
  const events: string[] = [];
  client.on("change", ({ flags }) => void events.push(`change: ${flags.join(" ")}`));
  client.on("error", ({ code }) => void events.push(`error: ${code}`));
  return { client, requests, violations, events };
}

const CONDITIONS = [
  ["country", "in", ["DE", "FR"], "string"],
  ["country", "startsWith", ["D"], "string"],
  ["plan", "notExists", [], "string"],
  ["age", "gte", ["18"], "number"],
  ["appVersion", "lt", ["2.1.0"], "semver"],
  ["ip", "in", ["10.0.0.0/8"], "ip"],
  ["signedUpAt", "gt", ["2026-01-01"], "date"],
  ["email", "matches", ["@example\\.(com|org)$"], "string"],
  ["beta", "notEquals", ["true"], "boolean"],
].map(([field, operator, values, contextType]) => ({ field, operator, values, contextType }));

const context = fc.record(
  {
    targetingKey: fc.oneof(fc.uuid(), fc.string()),
    userId: fc.oneof(fc.nat(), fc.constant(null)),
    country: fc.constantFrom("DE", "FR", "US", "", "žluť"),
    plan: fc.constantFrom("free", "pro"),
    age: fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom("18", "0x12", true)),
    appVersion: fc.constantFrom("2.1.0", "2.1.0-beta.2", "v3"),
    ip: fc.oneof(fc.ipV4(), fc.constantFrom("10.1.2.3", "::ffff:10.1.2.3")),
    signedUpAt: fc.constantFrom("2025-12-31", "2026-01-01T00:00:00-02:00", "soon"),
    email: fc.constantFrom("ann@example.org", "ann@example.net"),
    beta: fc.oneof(fc.boolean(), fc.constantFrom("true", "no")),
  },
  { requiredKeys: [] },
);

/** Generates the fields that a strategy and each of its ordered rules have. */
const activation = (variants: readonly [string, string], segmentId: number) =>
  fc.record(
    {
      exactPercentage: fc.constantFrom(0, 0.5, 12.345, 50, 99.999, 100, 100, 100),
      constraints: fc.subarray(CONDITIONS, { maxLength: 2 }),
      segmentIds: fc.constantFrom([], [], [segmentId]),
      stickiness: fc.constantFrom(null, "country"),
      serve: fc.oneof(
        fc.record({ variant: fc.constantFrom(...variants) }),
        fc
          .integer({ min: 1, max: 99 })
          .map((weight) => ({ weights: { [variants[0]]: weight, [variants[1]]: 100 - weight } })),
      ),
    },
    { requiredKeys: ["constraints", "serve"] },
  );

const VARIANTS = [
  { key: "narrow", value: { columns: 1 } },
  { key: "wide", value: { columns: 3, gaps: [1, null, "ž"] } },
];

/**
 * Creates six flags, with and without values. A flag can require flags that were created before it.
 */
async function newFlags({ projectId }: World) {
  const plain = { variants: ["on", "off"] as const, body: {} };
  const valued = {
    variants: ["narrow", "wide"] as const,
    body: { valueType: "json", variants: VARIANTS, offVariant: "narrow" },
  };
  const noOff = { variants: valued.variants, body: { ...valued.body, offVariant: null } };
  const kinds = [plain, valued, noOff, plain, valued, plain];
  const flags: { id: number; key: string; variants: readonly [string, string] }[] = [];
  for (const [n, { variants, body }] of kinds.entries()) {
    const prerequisites = n < 3 ? [] : [{ flagKey: `flag-${n - 3}`, enabled: n % 2 === 0 }];
    const { id, key } = await newFlag(projectId, { key: `flag-${n}`, ...body, prerequisites });
    flags.push({ id, key, variants });
  }
  return flags;
}

/** Generates a strategy with up to three ordered rules. */
function strategyOf(
  flag: { variants: readonly [string, string] },
  segmentId: number,
  seed: number,
) {
  const part = activation(flag.variants, segmentId);
  const all = fc.tuple(part, fc.array(part, { maxLength: 3 }), fc.constantFrom(true, true, false));
  const [[own, rules, enabled] = [{}, [], true]] = fc.sample(all, { numRuns: 1, seed });
  // Sets all fields, because a field that is left out keeps its value.
  return { enabled, exactPercentage: 100, segmentIds: [], stickiness: null, ...own, rules };
}

/** Sets the strategy of a flag. Returns the new revision. */
async function change({ environmentId }: World, flagId: number, strategy: object): Promise<number> {
  const path = `/api/v1/flags/${flagId}/strategies`;
  const { status, headers } = await asAdmin("PUT", path, { environmentId, ...strategy });
  if (status !== 200) throw new Error(`PUT ${path}: ${status}`);
  return Number(headers.get("X-Revision"));
}

/** The results of the service for one context, by the rules of a revision. */
async function evaluations(token: string, given: object, revision: number): Promise<unknown> {
  const headers = { "X-Min-Revision": String(revision) };
  const options = { token, headers, body: { context: given } };
  const { body } = await call("POST", "/api/client/evaluate", options);
  if (body.revision !== revision) throw new Error(`The edge has ${body.revision}, not ${revision}`);
  return body.evaluations;
}

/** The boolean flags whose results have no variant in `POST /api/client/evaluate`. */
const plainFlags = (client: FlagClient): ReadonlySet<string> =>
  new Set(
    client
      .snapshot()
      ?.rules.filter(
        ({ variants, activation: { serve, slots }, rules, offVariant }) =>
          variants === undefined &&
          serve === undefined &&
          slots === undefined &&
          rules === undefined &&
          offVariant === undefined,
      )
      .map(({ key }) => key),
  );

/** The results of a client in the form of `POST /api/client/evaluate`. */
function verdictsOf(
  client: FlagClient,
  given: Record<string, unknown>,
  plain: ReadonlySet<string>,
) {
  return Object.fromEntries(
    Object.entries(client.all(given as EvaluationContext)).map(([key, result]) => {
      const { enabled, reason } = result;
      return [key, plain.has(key) ? { enabled, reason } : result];
    }),
  );
}

describe("the SDK in the Workers runtime", () => {
  it("has the results of POST /api/client/evaluate, for random strategies and contexts, through its stream", async () => {
    const world = await newWorld();
    const segment = await newSegment(world.projectId, CONDITIONS.slice(0, 1));
    const flags = await newFlags(world);
    const { client, violations } = connect(world.apiKey);
    await client.ready();
    // The strategies and contexts follow from the seed. A failure names it; to repeat it, set it here.
    const seed = Math.floor(Math.random() * 2 ** 30);
    let compared = 0;
    for (let round = 0; round < 25; round++) {
      let revision = 0;
      for (const [n, flag] of flags.entries())
        revision = await change(
          world,
          flag.id,
          strategyOf(flag, segment.id, seed + round * 100 + n),
        );
      await expect
        .poll(() => client.status.revision, { message: `the seed is ${seed}` })
        .toBe(revision);
      const contexts = fc.sample(context, { numRuns: 20, seed: seed + round });
      const sent = contexts.map((one) => JSON.parse(JSON.stringify(one)) as typeof one);
      const plain = plainFlags(client);
      for (const one of sent)
        expect({ seed, verdicts: verdictsOf(client, one, plain) }).toEqual({
          seed,
          verdicts: await evaluations(world.apiKey, one, revision),
        });
      compared += sent.length;
    }
    expect(compared).toBe(500);
    expect(violations).toEqual([]);
  });

  it("applies a change from the stream, without a request", async () => {
    const world = await newWorld();
    const flag = await newFlag(world.projectId, { key: "flag" });
    const { client, requests, events } = connect(world.apiKey);
    await client.ready();
    await expect.poll(() => requests).toContain("GET /api/client/stream 200");
    const before = [...requests];
    await setStrategy(flag.id, { environmentId: world.environmentId, enabled: true });
    await expect.poll(() => client.boolean("flag", false)).toBe(true);
    expect(events).toEqual(["change: flag"]);
    expect(requests).toEqual(before);
  });

  it("reports usage, and appears among the instances of the project", async () => {
    const world = await newWorld();
    await newFlag(world.projectId, { key: "flag" });
    const identity = { appName: "web-shop", instanceId: "web-shop-1" };
    const { client, requests, violations } = connect(world.apiKey, {
      ...identity,
      updates: "manual",
    });
    await client.ready();
    client.boolean("flag", false);
    expect(await client.flush()).toBe(true);
    expect(requests).toContain("POST /api/client/metrics 202");
    await expect
      .poll(async () => {
        const path = `/api/v1/projects/${world.projectId}/client-instances`;
        return (await asAdmin("GET", path)).body;
      })
      .toMatchObject([
        {
          ...identity,
          sdkVersion: expect.stringMatching(/^feature-flags-js:\d+\.\d+\.\d+$/),
          sdkFeatures: ["rules"],
        },
      ]);
    expect(violations).toEqual([]);
  });

  it("keeps its rules and reports one error when its key is deleted", async () => {
    const world = await newWorld();
    const flag = await newFlag(world.projectId, { key: "flag" });
    await setStrategy(flag.id, { environmentId: world.environmentId, enabled: true });
    const { client, requests, events } = connect(world.apiKey);
    await client.ready();
    await expect.poll(() => requests).toContain("GET /api/client/stream 200");
    await asAdmin("DELETE", `/api/v1/api-keys/${world.keyId}`);
    await expect.poll(() => client.status.state).toBe("error");
    expect(events).toEqual(["error: UNAUTHORIZED"]);
    expect(client.boolean("flag", false)).toBe(true);
  });

  it("rejects ready for a FRONTEND key and for an unknown key", async () => {
    const { environmentId } = await newWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    await expect(connect(apiKey).client.ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(connect("x".repeat(64)).client.ready()).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  });
});
