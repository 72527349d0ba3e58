import { beforeAll, describe, expect, it } from "vitest";
import { unleashDocument } from "@feature-flags/unleash";
import { callWith } from "../support/call-with.ts";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { callSending } from "../support/queue.ts";
import { poll } from "../support/sdk.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";

const FEATURES = "/api/unleash/client/features";
const DELTA = "/api/unleash/client/delta";
const NEW_SDK = { "Unleash-Client-Spec": "5.2.0" };

let world: Awaited<ReturnType<typeof newWorld>>;

const ask = (path: string, headers: Record<string, string> = NEW_SDK, method = "GET") =>
  call(method, path, { token: world.apiKey, headers });

const etagOf = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await ask(path, headers)).headers.get("ETag") ?? "";

const namesIn = ({ body }: { body: Json }): string[] => body.features.map(({ name }: Json) => name);

beforeAll(async () => {
  world = await newWorld();
  const { projectId, environmentId } = world;
  const create = async (key: string, strategy: object, more: object = {}) => {
    const flag = await newFlag(projectId, { key, ...more });
    await setStrategy(flag.id, { environmentId, enabled: true, ...strategy });
  };
  await create("half", { percentage: 50, constraints: [inCountries("DE")] });
  await create("requires", {}, { prerequisites: [{ flagKey: "half" }] });
  await newFlag(projectId, { key: "off" });
});

describe("the document for Unleash SDKs", () => {
  it("has what the mapping makes of the rules", async () => {
    const rules = (await poll(world.apiKey)).body;
    const { status, headers, body } = await ask(FEATURES);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    const { features } = unleashDocument(rules, "a");
    expect(features.map(({ enabled }) => enabled)).toEqual([true, true, false]);
    expect(body).toEqual({ version: 2, features, segments: [] });
  });

  it.each<[string, "a" | "b", Record<string, string>]>([
    ["5.2.0", "a", NEW_SDK],
    ["4.3.0", "a", { "Unleash-Client-Spec": "4.3.0" }],
    ["4.10.1", "a", { "Unleash-Client-Spec": "4.10.1" }],
    ["4.2.2", "b", { "Unleash-Client-Spec": "4.2.2" }],
    ["3.9.9", "b", { "Unleash-Client-Spec": "3.9.9" }],
    ["none", "b", {}],
    ["an unknown form", "b", { "Unleash-Client-Spec": "new" }],
  ])("for an SDK with the specification %s has the form %s", async (_, form, headers) => {
    const { body } = await ask(FEATURES, headers);
    const { features } = unleashDocument((await poll(world.apiKey)).body, form);
    expect(body.features).toEqual(features);
    expect(features[1]?.enabled).toBe(form === "a");
    const rules = (await poll(world.apiKey)).headers.get("ETag") ?? "";
    expect(await etagOf(FEATURES, headers)).toBe(`${rules.slice(0, -1)}-u3${form}"`);
  });

  it.each([FEATURES, DELTA])(
    "is not sent again with 304, which repeats the ETag for the Python SDK: %s",
    async (path) => {
      const etag = await etagOf(path);
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const answer = await ask(path, { ...NEW_SDK, "If-None-Match": held });
        expect([answer.status, answer.body, answer.headers.get("ETag")]).toEqual([304, "", etag]);
      }
      const older = await ask(path, { "If-None-Match": etag });
      expect([older.status, older.headers.get("ETag")]).toEqual([200, await etagOf(path, {})]);
    },
  );

  it("ignores `project`, `namePrefix` and `tag`", async () => {
    const query = "?project=shop&namePrefix=half&tag=simple%3Aweb";
    expect(namesIn(await ask(FEATURES + query))).toEqual(["half", "requires", "off"]);
  });

  it("is one event of the kind `hydration` for an SDK that asks for changes", async () => {
    const { status, headers, body } = await ask(DELTA);
    const { features } = (await ask(FEATURES)).body;
    const eventId = Number(headers.get("X-Revision"));
    expect(eventId).toBeGreaterThan(0);
    expect([status, body]).toEqual([
      200,
      { events: [{ type: "hydration", eventId, features, segments: [] }] },
    ]);
  });

  it("responds to HEAD as to GET, without the body", async () => {
    const head = await ask(FEATURES, NEW_SDK, "HEAD");
    expect([head.status, head.body, head.headers.get("ETag")]).toEqual([
      200,
      "",
      await etagOf(FEATURES),
    ]);
  });

  it("has the changed flags and status 200 when the SDK sends the ETag of an older document", async () => {
    const etag = await etagOf(FEATURES);
    const flag = await newFlag(world.projectId, { key: "later" });
    await setStrategy(flag.id, { environmentId: world.environmentId, enabled: true });
    const answer = await ask(FEATURES, { ...NEW_SDK, "If-None-Match": etag });
    expect([answer.status, namesIn(answer).at(-1)]).toEqual([200, "later"]);
  });

  it("marks the instance as one that fetches rules, with the revision, also with 304", async () => {
    const headers = { ...NEW_SDK, "If-None-Match": await etagOf(FEATURES) };
    const options = (id: string): CallOptions => ({
      token: world.apiKey,
      headers: { ...headers, "UNLEASH-INSTANCEID": id },
    });
    const { answer, instances } = await callSending("GET", FEATURES, options("fetching"));
    const revision = Number(answer.headers.get("X-Revision"));
    expect(answer.status).toBe(304);
    expect(instances).toMatchObject([
      {
        instanceId: "fetching",
        revision,
        sdkFeatures: ["rules", "unleash", "unleash-variants"],
        rulesFetchedAt: expect.any(Number) as number,
      },
    ]);
  });

  it.each([
    ["5.0.2", ["rules", "unleash", "unleash-variants"]],
    ["4.3.0", ["rules", "unleash"]],
  ])("marks an instance with the specification %s as %j", async (specification, features) => {
    const headers = {
      "Unleash-Client-Spec": specification,
      "UNLEASH-INSTANCEID": `spec-${specification}`,
    };
    const options = { token: world.apiKey, headers };
    const { instances } = await callSending("GET", FEATURES, options);
    expect(instances).toMatchObject([{ sdkFeatures: features }]);
  });

  it("is the last known one, with a warning, while the database is down", async () => {
    const etag = await etagOf(FEATURES);
    const fail = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const DB = { withSession: fail, prepare: fail } as unknown as D1Database;
    const options = { token: world.apiKey, headers: NEW_SDK };
    const isStale = async () => {
      const answer = await callWith({ DB }, "GET", FEATURES, options);
      expect([answer.status, answer.headers.get("ETag")]).toEqual([200, etag]);
      return answer.headers.get("Warning");
    };
    // The isolate relies on its last check of the key for a second.
    await expect.poll(isStale).toBe('110 - "Response is Stale"');
  });
});
