import { beforeAll, describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { iso, type Seen, seen } from "../support/usage-rows.ts";
import { newEnvironment, newFlag, newWorld, setStrategy } from "../support/world.ts";

const DAY = 86_400_000;
const NOW = Date.now();
const list = (projectId: number, query = "") =>
  asAdmin("GET", `/api/v1/projects/${projectId}/client-instances${query}`);
const ids = ({ body }: { body: Json }): string[] => body.map(({ instanceId }: Json) => instanceId);

describe("the SDK instances of a project", () => {
  let projectId: number;
  let environmentId: number;
  let staging: number;

  const add = (instanceId: string, ago: number, more: Partial<Seen> = {}) =>
    seen({
      projectId,
      environmentId,
      instanceId,
      appName: "shop",
      sdkVersion: "node/1.4.0",
      firstSeenAt: NOW - 1_000_000,
      lastSeenAt: NOW - ago,
      revision: 2,
      ...more,
    });

  beforeAll(async () => {
    ({ projectId, environmentId } = await newWorld());
    staging = (await newEnvironment(projectId)).id;
    const flag = await newFlag(projectId);
    // The environment starts with revision 1. The new flag and its new strategy add one each.
    await setStrategy(flag.id, { environmentId, enabled: true });
    await add("late", 90_000);
    const fetch = { sdkFeatures: ["rules"], rulesFetchedAt: NOW - 20 };
    await add("newest", 10, { revision: 3, ...fetch });
    await add("mute", 400_000, { appName: "", sdkVersion: null, revision: null });
    await add("elsewhere", 500, { environmentId: staging, appName: "till" });
    const other = await newWorld();
    await add("foreign", 0, {
      projectId: other.projectId,
      environmentId: other.environmentId,
    });
  });

  it("are listed most recently seen first, with all their fields", async () => {
    const answer = await list(projectId);
    expect([answer.status, answer.headers.get("X-Total-Count")]).toEqual([200, "4"]);
    expect(ids(answer)).toEqual(["newest", "elsewhere", "late", "mute"]);
    expect(answer.body[0]).toEqual({
      environmentId,
      instanceId: "newest",
      appName: "shop",
      sdkVersion: "node/1.4.0",
      firstSeenAt: iso(NOW - 1_000_000),
      lastSeenAt: iso(NOW - 10),
      revision: 3,
      sdkFeatures: ["rules"],
      rulesFetchedAt: iso(NOW - 20),
      upToDate: true,
    });
    expect(answer.body[3]).toMatchObject({
      appName: null,
      sdkVersion: null,
      revision: null,
      sdkFeatures: [],
      rulesFetchedAt: null,
      upToDate: false,
    });
  });

  it("are up to date when they reported the newest revision of their own environment", async () => {
    const { body } = await list(projectId);
    const listed = body.map((one: Json) => [one.instanceId, one.revision, one.upToDate]);
    expect(listed).toEqual([
      ["newest", 3, true],
      ["elsewhere", 2, true],
      ["late", 2, false],
      ["mute", null, false],
    ]);
  });

  it("can be filtered by environment, by application and by both", async () => {
    expect(ids(await list(projectId, `?environmentId=${staging}`))).toEqual(["elsewhere"]);
    expect(ids(await list(projectId, "?appName=shop"))).toEqual(["newest", "late"]);
    const both = `?environmentId=${environmentId}&appName=till`;
    expect(ids(await list(projectId, both))).toEqual([]);
  });

  it("are returned in pages, with the total number in X-Total-Count", async () => {
    const slices = await Promise.all([0, 1, 2].map((n) => list(projectId, `?page=${n}&size=3`)));
    expect(slices.map(ids)).toEqual([["newest", "elsewhere", "late"], ["mute"], []]);
    const totals = slices.map(({ headers }) => headers.get("X-Total-Count"));
    expect(totals).toEqual(["4", "4", "4"]);
  });

  it("return 404 for an environment that is unknown or of another project", async () => {
    const other = await newWorld();
    for (const id of [other.environmentId, 999_999])
      expect(outcome(await list(projectId, `?environmentId=${id}`))).toBe("404 NOT_FOUND");
  });

  it.each([
    "environmentId=x",
    "appName=",
    "size=101",
    "page=-1",
    "lackingFeature=x",
    "havingFeature=x",
  ])("return 400 for the invalid query %s", async (query) => {
    expect(outcome(await list(projectId, `?${query}`))).toBe("400 BAD_REQUEST");
  });
});

describe("the SDK instances that lack the feature `rules`", () => {
  it("are the instances that fetched rules within 24 hours with an SDK that does not name the feature", async () => {
    const { projectId, environmentId } = await newWorld();
    const staging = (await newEnvironment(projectId)).id;
    const add = (instanceId: string, more: Partial<Seen>) =>
      seen({
        projectId,
        environmentId,
        instanceId,
        firstSeenAt: NOW - 3 * DAY,
        lastSeenAt: NOW,
        revision: 1,
        ...more,
      });
    const fetched = (ago: number, ...sdkFeatures: string[]) => ({
      lastSeenAt: NOW - ago,
      rulesFetchedAt: NOW - ago,
      sdkFeatures,
    });
    await add("old", fetched(5));
    await add("others", fetched(DAY - 60_000, "streaming", "rules2"));
    await add("unnamed", { rulesFetchedAt: NOW - 6, lastSeenAt: NOW - 6 });
    await add("knowing", fetched(1, "streaming", "rules"));
    await add("gone", fetched(DAY + 1_000));
    await add("reporting", { ...fetched(DAY + 1_000), lastSeenAt: NOW });
    await add("evaluating", {});
    await add("staged", { ...fetched(7), environmentId: staging });
    const query = `?lackingFeature=rules&environmentId=${environmentId}`;
    expect(ids(await list(projectId, query))).toEqual(["old", "unnamed", "others"]);
    const first = await list(projectId, "?lackingFeature=rules&size=1");
    expect([ids(first), first.headers.get("X-Total-Count")]).toEqual([["old"], "4"]);
  });
});

it("the SDK instances with the feature `unleash` are the instances that were seen within 24 hours with an SDK that names the feature", async () => {
  const { projectId, environmentId } = await newWorld();
  const staging = (await newEnvironment(projectId)).id;
  const add = (instanceId: string, ago: number, more: Partial<Seen> = {}) =>
    seen({
      projectId,
      environmentId,
      instanceId,
      firstSeenAt: NOW - 3 * DAY,
      lastSeenAt: NOW - ago,
      revision: null,
      sdkFeatures: ["rules", "unleash"],
      ...more,
    });
  await add("evaluating", 1);
  await add("fetching", DAY - 60_000, { rulesFetchedAt: NOW - DAY });
  await add("own", 2, { sdkFeatures: ["rules", "unleash2"] });
  await add("gone", DAY + 1_000);
  await add("staged", 4, { environmentId: staging });
  const query = `?havingFeature=unleash&environmentId=${environmentId}`;
  expect(ids(await list(projectId, query))).toEqual(["evaluating", "fetching"]);
  const first = await list(projectId, "?havingFeature=unleash&size=1");
  expect([ids(first), first.headers.get("X-Total-Count")]).toEqual([["evaluating"], "3"]);
});

it("an SDK instance that polls with X-Sdk-Features appears with its features, and an instance that evaluates on the server lacks no feature", async () => {
  const { projectId, apiKey } = await newWorld();
  const poll = async (instanceId: string, path: string, features: object = {}) => {
    const [method, body] = path === "features" ? ["GET"] : ["POST", { context: {} }];
    const headers = { "X-Instance-Id": instanceId, ...features };
    const options = { token: apiKey, body, headers };
    const answer = await callWith({}, method ?? "", `/api/client/${path}`, options);
    expect(answer.status).toBe(200);
  };
  await poll("knowing", "features", { "X-Sdk-Features": "rules" });
  await poll("old", "features");
  await poll("evaluating", "evaluate");
  const { body } = await list(projectId);
  const features = body.map((one: Json) => [
    one.instanceId,
    one.sdkFeatures,
    one.rulesFetchedAt !== null,
  ]);
  expect(features.toSorted()).toEqual([
    ["evaluating", [], false],
    ["knowing", ["rules"], true],
    ["old", [], true],
  ]);
  expect(ids(await list(projectId, "?lackingFeature=rules"))).toEqual(["old"]);
});

it("the SDK instances of a deleted environment are not listed", async () => {
  const { projectId, environmentId } = await newWorld();
  const { id: deleted } = await newEnvironment(projectId);
  const moment = { projectId, firstSeenAt: NOW, lastSeenAt: NOW, revision: 1 };
  await seen({ ...moment, environmentId, instanceId: "kept" });
  await seen({ ...moment, environmentId: deleted, instanceId: "gone" });
  expect(ids(await list(projectId))).toEqual(["kept", "gone"]);
  await asAdmin("DELETE", `/api/v1/environments/${deleted}`);
  expect(ids(await list(projectId))).toEqual(["kept"]);
});

it("SDK instances that were last seen at the same time are listed by instance id", async () => {
  const { projectId, environmentId } = await newWorld();
  const moment = { projectId, environmentId, firstSeenAt: NOW, lastSeenAt: NOW, revision: 1 };
  for (const instanceId of ["c", "a", "b"]) await seen({ ...moment, instanceId });
  expect(ids(await list(projectId))).toEqual(["a", "b", "c"]);
});
