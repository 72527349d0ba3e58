import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createBindingClient, type FlagsBinding } from "@feature-flags/sdk/binding";
import { Flags } from "../../../src/worker.ts";
import { LEASE_MS } from "../../../src/client/keys/leases.ts";
import { fail, faultyEnvironment } from "../support/faulty-bindings.ts";
import { ask } from "../support/sdk.ts";
import { usageObjectOf } from "../support/usage.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";

/** Returns the binding of another Worker of the account, as the runtime makes it. */
const bindingTo = (environment?: number) =>
  exports.Flags({
    props: environment === undefined ? {} : { environment },
  }) as unknown as FlagsBinding;

/** Returns the entrypoint with other bindings of its own. */
const entrypointWith = (replaced: Partial<Env>) => {
  const context = Object.assign(createExecutionContext(), { props: {} });
  const binding: FlagsBinding = new Flags(context, { ...env, ...replaced });
  return { binding, settled: () => waitOnExecutionContext(context) };
};

const CONTEXTS = [
  {},
  ...Array.from({ length: 20 }, (_, n) => ({
    targetingKey: `user-${n}`,
    userId: `user-${n}`,
    country: ["DE", "FR", "US"][n % 3] ?? "",
  })),
];

/** Creates flags of all types, with all kinds of verdicts. */
async function newFlags() {
  const world = await newWorld();
  const { projectId, environmentId } = world;
  const flag = async (key: string, more: object, strategy: object) => {
    const { id } = await newFlag(projectId, { key, ...more });
    await setStrategy(id, { environmentId, enabled: true, ...strategy });
    return id as number;
  };
  const variants = [
    { key: "narrow", value: { columns: 1 } },
    { key: "wide", value: { columns: 3 } },
  ];
  const plainId = await flag("plain", {}, { percentage: 50 });
  await flag("off", {}, { enabled: false });
  await flag("country", {}, { constraints: [inCountries("DE")] });
  await flag("child", { prerequisites: [{ flagKey: "country" }] }, {});
  await flag(
    "layout",
    { valueType: "json", variants, offVariant: "narrow" },
    {
      constraints: [inCountries("FR")],
      serve: { variant: "wide" },
      rules: [{ constraints: [inCountries("DE")], serve: { weights: { narrow: 30, wide: 70 } } }],
    },
  );
  await flag(
    "title",
    {
      valueType: "string",
      variants: [
        { key: "short", value: "Hello" },
        { key: "long", value: "Hello and welcome" },
      ],
    },
    { serve: { weights: { short: 50, long: 50 } } },
  );
  await flag(
    "limit",
    { valueType: "number", variants: [{ key: "high", value: 99.5 }] },
    { serve: { variant: "high" } },
  );
  return { ...world, plainId };
}

/** Runs a function as a request does, and waits until its background work has ended. */
async function inRequest<T>(work: (context: ExecutionContext) => Promise<T>): Promise<T> {
  const context = createExecutionContext();
  try {
    return await work(context);
  } finally {
    await waitOnExecutionContext(context);
  }
}

describe("a Worker with a service binding", () => {
  it("gets the same results from the entrypoint and from the SDK client as from POST /api/client/evaluate", async () => {
    const { environmentId, apiKey } = await newFlags();
    const binding = bindingTo(environmentId);
    const client = createBindingClient({ binding });
    await inRequest((context) => client.ready(context));
    for (const context of CONTEXTS) {
      const server = await ask(apiKey, context);
      const [remote, local] = [await binding.all(context), client.all(context)];
      expect(remote).toEqual(local);
      expect(Object.keys(local).toSorted()).toEqual(Object.keys(server).toSorted());
      // For a plain boolean flag, the SDK and the entrypoint add the variant and the value.
      for (const [key, verdict] of Object.entries(server))
        expect(local[key]).toMatchObject(verdict);
    }
  });

  it("gets the same value and the same details of a check in the service and in the isolate", async () => {
    const { environmentId } = await newFlags();
    const binding = bindingTo(environmentId);
    const client = createBindingClient({ binding });
    await inRequest((context) => client.ready(context));
    const keys = ["plain", "off", "country", "child", "layout", "title", "limit", "unknown"];
    const fallbacks = [true, "text", 1, { columns: 2 }];
    for (const context of CONTEXTS.slice(0, 4))
      for (const key of keys)
        for (const fallback of fallbacks)
          expect(await binding.details(key, fallback, context)).toEqual(
            client.details(key, fallback, context),
          );
    const german = { targetingKey: "ann", userId: "ann", country: "DE" };
    const french = { ...german, country: "FR" };
    expect(await binding.boolean("country", false, german)).toBe(true);
    expect(await binding.string("title", "none", german)).toBe(
      client.string("title", "none", german),
    );
    expect(await binding.number("limit", 1, german)).toBe(99.5);
    expect(await binding.json("layout", null, french)).toEqual({ columns: 3 });
    expect(await binding.json("title", "none", german)).toBe("none");
  });

  it("gets only the rules that changed, and then none", async () => {
    const { environmentId, plainId } = await newFlags();
    const binding = bindingTo(environmentId);
    const full = await binding.rules();
    if (full.kind === "failed") throw new Error(full.message);
    expect(full).toMatchObject({ kind: "full", isStale: false });
    await setStrategy(plainId, { environmentId, enabled: true, percentage: 20 });
    const { etag, nextSince: since, revision } = full;
    const changed = await binding.rules({ etag, since, minRevision: revision + 1 });
    if (changed.kind === "failed") throw new Error(changed.message);
    expect(changed).toMatchObject({ kind: "partial", revision: revision + 1 });
    const rules = JSON.parse(new TextDecoder().decode(changed.rules)) as { key: string }[];
    expect(rules.map(({ key }) => key)).toContain("plain");
    expect(rules.length).toBeLessThan(7);
    const { etag: newest } = changed;
    expect(await binding.rules({ etag: newest })).toMatchObject({
      kind: "unchanged",
      rules: new Uint8Array(),
    });
  });

  it("names the environment in its props or in the call, and gets a clear error otherwise", async () => {
    const { environmentId } = await newFlags();
    expect(await bindingTo().boolean("country", false, { country: "DE" }, environmentId)).toBe(
      true,
    );
    const rules = (bound?: number, environment?: number) => bindingTo(bound).rules({ environment });
    expect(await rules(undefined, environmentId)).toMatchObject({ kind: "full" });
    expect(await rules()).toMatchObject({
      code: "INVALID",
      message: expect.stringContaining("props = { environment = 12 }") as unknown,
    });
    expect(await rules(environmentId, environmentId + 1)).toMatchObject({
      code: "INVALID",
      message: `The binding is for environment ${environmentId}, not for ${environmentId + 1}`,
    });
    const message = expect.stringContaining("There is no environment 987654321") as unknown;
    expect(await rules(987_654_321)).toMatchObject({ code: "NOT_FOUND", message });
    const check = async () => bindingTo(987_654_321).boolean("plain", true);
    await expect(check()).rejects.toThrow("There is no environment 987654321");
    const logger = { warn: () => {}, error: () => {} };
    const client = createBindingClient({ binding: bindingTo(987_654_321), logger });
    await expect(inRequest((context) => client.ready(context))).rejects.toMatchObject({
      code: "NOT_FOUND",
      message,
    });
    expect(client.boolean("plain", true)).toBe(true);
  });

  it("reports the checks of its client to the usage of the flags and the list of instances", async () => {
    const { environmentId, projectId } = await newFlags();
    const { binding, settled } = entrypointWith({});
    const client = createBindingClient({ binding, environment: environmentId, appName: "shop" });
    await inRequest((context) => client.ready(context));
    for (let n = 0; n < 3; n++) client.boolean("off", false);
    client.number("limit", 0);
    expect(await client.flush()).toBe(true);
    await settled();
    const object = usageObjectOf(projectId);
    const environmentIds = [environmentId];
    expect(await object.unwritten({ environmentIds, appName: "shop" })).toMatchObject([
      {
        environmentId,
        usage: [
          ["off", 0, 3],
          ["limit", 1, 0, { high: 1 }],
        ],
      },
    ]);
    expect(await object.instances({ environmentIds }, 10)).toMatchObject([
      { appName: "shop", instanceId: "worker" },
    ]);
  });

  it("keeps the counts of a report that the service did not accept", async () => {
    const { environmentId, projectId } = await newFlags();
    const { env: faulty, at } = faultyEnvironment();
    const { binding, settled } = entrypointWith(faulty);
    const client = createBindingClient({ binding, environment: environmentId });
    // Without the database, a new isolate does not know to which project the environment belongs.
    at.DB.fault = fail;
    client.boolean("off", false);
    expect(
      await binding.report({ environment: environmentId, evaluations: { off: { t: 0, f: 1 } } }),
    ).toMatchObject({
      kind: "failed",
      code: "UNAVAILABLE",
    });
    at.DB.fault = undefined;
    await scheduler.wait(LEASE_MS + 1);
    await inRequest((context) => client.ready(context));
    client.boolean("off", false);
    expect(await client.flush()).toBe(true);
    await settled();
    const usage = await usageObjectOf(projectId).unwritten({ environmentIds: [environmentId] });
    expect(usage).toMatchObject([{ usage: [["off", 0, 1]] }]);
  });

  it("while the database is down, serves the last rules and marks them as stale, or serves the default if it has no rules", async () => {
    const { environmentId } = await newFlags();
    const never = await newWorld();
    const { env: faulty, at } = faultyEnvironment();
    const { binding, settled } = entrypointWith(faulty);
    await binding.rules({ environment: environmentId });
    at.DB.fault = fail;
    at.EDGE.fault = fail;
    await scheduler.wait(LEASE_MS + 1);
    const context = { country: "DE" };
    expect(await binding.rules({ environment: environmentId })).toMatchObject({ isStale: true });
    expect(await binding.boolean("country", false, context, environmentId)).toBe(true);
    const { environmentId: environment } = never;
    expect(await binding.details("country", true, context, { environment })).toMatchObject({
      value: true,
      errorCode: "NOT_READY",
    });
    expect(await binding.rules({ environment })).toMatchObject({ code: "UNAVAILABLE" });
    await settled();
  });
});
