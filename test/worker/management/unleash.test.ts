import { expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { iso, seen } from "../support/usage-rows.ts";
import { newEnvironment, newFlag, newWorld, setStrategy } from "../support/world.ts";

const NOW = Date.now();
const HOUR_MS = 3_600_000;

const read = async (environmentId: number) =>
  (await asAdmin("GET", `/api/v1/environments/${environmentId}/unleash`)).body;

it("the use of an environment by Unleash SDKs has the flags that are not exact, with the gravest level and the reasons", async () => {
  const { projectId, environmentId } = await newWorld();
  const create = async (key: string, strategy: object) => {
    const { id } = await newFlag(projectId, { key });
    await setStrategy(id, { environmentId, enabled: true, ...strategy });
  };
  const operator = (name: string) => ({
    field: "plan",
    operator: name,
    values: [],
    contextType: "string",
  });
  await create("exact", { percentage: 50 });
  await create("decimals", { exactPercentage: 12.5 });
  await create("both", {
    exactPercentage: 12.5,
    rules: [{ exactPercentage: 10.5 }, { constraints: [operator("notExists")] }],
  });
  const { environmentId: id, flags } = await read(environmentId);
  expect(id).toBe(environmentId);
  expect(flags.map(({ key }: { key: string }) => key)).toEqual(["decimals", "both"]);
  expect(flags[0]).toEqual({
    key: "decimals",
    level: "approximate",
    notes: [{ rule: 0, level: "approximate", code: "decimals", detail: "12" }],
  });
  expect(flags[1]).toEqual({
    key: "both",
    level: "partial",
    notes: [
      { rule: 0, level: "approximate", code: "decimals", detail: "10" },
      { rule: 1, level: "partial", code: "operator", detail: "notExists" },
    ],
  });
});

it("the use of an environment by Unleash SDKs counts the instances of the last 24 hours by SDK", async () => {
  const { projectId, environmentId } = await newWorld();
  const { id: other } = await newEnvironment(projectId);
  const add = (instanceId: string, sdkVersion: string | null, ago: number, more: object = {}) =>
    seen({
      projectId,
      environmentId,
      instanceId,
      appName: "shop",
      sdkVersion,
      firstSeenAt: NOW - 100 * HOUR_MS,
      lastSeenAt: NOW - ago,
      revision: 1,
      sdkFeatures: ["rules", "unleash"],
      ...more,
    });
  await add("java", "unleash-client-java:11", 5);
  await add("node-1", "unleash-node-sdk:6", 10);
  await add("node-2", "unleash-node-sdk:6", HOUR_MS);
  await add("unknown", null, 20);
  await add("gone", "unleash-node-sdk:6", 25 * HOUR_MS);
  await add("own", "node/1.4.0", 1, { sdkFeatures: ["rules"] });
  await add("elsewhere", "unleash-node-sdk:6", 1, { environmentId: other });
  expect((await read(environmentId)).sdks).toEqual([
    { sdkVersion: "unleash-node-sdk:6", instances: 2, lastSeenAt: iso(NOW - 10) },
    { sdkVersion: "unleash-client-java:11", instances: 1, lastSeenAt: iso(NOW - 5) },
    { sdkVersion: null, instances: 1, lastSeenAt: iso(NOW - 20) },
  ]);
});

it("the use of an environment by Unleash SDKs names the instances that may choose other variants of a split", async () => {
  const { projectId, environmentId } = await newWorld();
  const versions = [
    ["unleash-client-node:4.2.1", ["unleash"]],
    ["unleash-client-node:5.6.1", ["unleash"]],
    ["unleash-client-java:8.3.1", ["unleash"]],
    ["unleash-client-java:9.1.0", ["unleash"]],
    ["unleash-client-php:1.13.1", ["unleash"]],
    ["unleash-client-php:2.5.1", ["unleash"]],
    ["unleash-client-go:3.9.2", ["unleash"]],
    ["unleash-client-go:4.0.0", ["unleash"]],
    ["unleash-client-dotnet:v3.4.1", ["unleash"]],
    ["unleash-client-dotnet:v4.1.17", ["unleash"]],
    ["unleash-client-ruby:4.6.0", ["unleash"]],
    ["unleash-client-ruby:5.0.0", ["unleash", "unleash-variants"]],
    ["unleash-node-sdk:6.0.0", ["unleash"]],
    ["unleash-client-elixir:1.0.0", ["unleash"]],
    ["unleash-client-elixir:2.0.0", ["unleash", "unleash-variants"]],
    [null, ["unleash"]],
  ] as const;
  for (const [n, [sdkVersion, sdkFeatures]] of versions.entries())
    await seen({
      projectId,
      environmentId,
      instanceId: `instance-${n}`,
      appName: "shop",
      sdkVersion,
      firstSeenAt: NOW - HOUR_MS,
      lastSeenAt: NOW - n,
      revision: 1,
      sdkFeatures,
    });
  const { otherVariants } = await read(environmentId);
  expect(otherVariants.map(({ sdkVersion }: { sdkVersion: string }) => sdkVersion)).toEqual([
    "unleash-client-node:4.2.1",
    "unleash-client-java:8.3.1",
    "unleash-client-php:1.13.1",
    "unleash-client-go:3.9.2",
    "unleash-client-dotnet:v3.4.1",
    "unleash-client-ruby:4.6.0",
    "unleash-client-elixir:1.0.0",
    null,
  ]);
  expect(otherVariants[0]).toEqual({
    instanceId: "instance-0",
    appName: "shop",
    sdkVersion: "unleash-client-node:4.2.1",
    lastSeenAt: iso(NOW),
  });
});
