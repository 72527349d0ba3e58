import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { poll } from "../support/sdk.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newKey,
  newSegment,
  newWorld,
  setStrategy,
} from "../support/world.ts";

const rename = (flagId: number, name: string) =>
  asAdmin("PUT", `/api/v1/flags/${flagId}`, { name });

describe("GET /api/client/features", () => {
  let world: Awaited<ReturnType<typeof newWorld>>;
  beforeAll(async () => {
    world = await newWorld();
    await newFlag(world.projectId, { key: "first" });
    await newFlag(world.projectId, { key: "second" });
  });

  it("returns the rules in the order in which their flags were created, with the headers ETag and X-Next-Since", async () => {
    const answer = await poll(world.apiKey);
    expect(answer.body.map((rule) => rule.key)).toEqual(["first", "second"]);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    expect(answer.headers.get("ETag")).toMatch(/^"\d+-[0-9a-f]+"$/);
    expect(answer.headers.get("X-Delta")).toBe("full");
    expect(Date.parse(answer.headers.get("X-Next-Since") ?? "")).not.toBeNaN();
  });

  it("returns 304 without a body when If-None-Match contains the ETag, also weak or in a list", async () => {
    const etag = (await poll(world.apiKey)).headers.get("ETag") ?? "";
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await poll(world.apiKey, { etag: header });
      expect([header, answer.status, answer.body]).toEqual([header, 304, ""]);
      expect(answer.headers.get("ETag")).toBe(etag);
    }
    expect((await poll(world.apiKey, { etag: '"1-0"' })).status).toBe(200);
  });

  it("responds to HEAD as to GET, without the body", async () => {
    const head = await call("HEAD", "/api/client/features", { token: world.apiKey });
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers.get("ETag")).toBe((await poll(world.apiKey)).headers.get("ETag"));
  });

  it.each(["yesterday", "", "1", "2026-02-30T00:00:00Z"])(
    "returns 400 when `since` is %j",
    async (since) => {
      const answer = await poll(world.apiKey, { since });
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
    },
  );
});

describe("a delta of the rules", () => {
  it("contains only the rule of a flag that was renamed after `since`, and is empty when no flag changed", async () => {
    const world = await newWorld();
    const [one] = [await newFlag(world.projectId), await newFlag(world.projectId)];
    const since = (await poll(world.apiKey)).headers.get("X-Next-Since") ?? "";
    expect((await poll(world.apiKey, { since })).body).toEqual([]);
    await rename(one.id, "Another name");
    const delta = await poll(world.apiKey, { since });
    expect(delta.headers.get("X-Delta")).toBe("partial");
    expect(delta.body.map((rule) => [rule.key, rule.name])).toEqual([[one.key, "Another name"]]);
    const next = delta.headers.get("X-Next-Since") ?? "";
    expect((await poll(world.apiKey, { since: next })).body).toEqual([]);
  });

  it("contains an archived or deleted flag once, as a tombstone", async () => {
    const world = await newWorld();
    const flag = await newFlag(world.projectId, { key: "leaving", name: "Leaving" });
    await setStrategy(flag.id, { environmentId: world.environmentId, enabled: true });
    const since = new Date().toISOString();
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    const tombstone = { key: "leaving", name: "Leaving", enabled: false, archived: true };
    const archived = await poll(world.apiKey, { since });
    expect(archived.body).toEqual([
      { ...tombstone, activation: { rollOut: 100, constraints: [], segments: [] } },
    ]);
    await asAdmin("DELETE", `/api/v1/flags/${flag.id}`);
    const deleted = await poll(world.apiKey, { since });
    expect(deleted.body).toHaveLength(1);
    expect(deleted.body[0]).toMatchObject(tombstone);
    expect((await poll(world.apiKey)).body).toEqual([]);
  });

  it("contains the flag that uses a changed segment, and no other flag", async () => {
    const world = await newWorld();
    const segment = await newSegment(world.projectId, [inCountries("DE")]);
    const user = await newFlag(world.projectId);
    await newFlag(world.projectId);
    await setStrategy(user.id, {
      environmentId: world.environmentId,
      enabled: true,
      segmentIds: [segment.id],
    });
    const before = await poll(world.apiKey);
    await asAdmin("PUT", `/api/v1/segments/${segment.id}`, { constraints: [inCountries("FR")] });
    const since = before.headers.get("X-Next-Since") ?? "";
    const delta = await poll(world.apiKey, { since });
    expect(delta.body.map((rule) => rule.key)).toEqual([user.key]);
    expect(delta.body[0]?.activation.segments[0]?.constraints).toEqual([inCountries("FR")]);
    expect(delta.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
  });

  it("contains the changes since the revision in the ETag, even if `since` is a minute in the future", async () => {
    const world = await newWorld();
    const flag = await newFlag(world.projectId);
    const etag = (await poll(world.apiKey)).headers.get("ETag") ?? "";
    await rename(flag.id, "Renamed");
    const ahead = new Date(Date.now() + 60_000).toISOString();
    const delta = await poll(world.apiKey, { since: ahead, etag });
    expect(delta.headers.get("X-Delta")).toBe("partial");
    expect(delta.body.map((rule) => rule.name)).toEqual(["Renamed"]);
  });

  it.each([
    ["in the future and the request has no ETag", 60_000],
    ["31 days ago, because the service remembers changes for 30 days", -31 * 86_400_000],
  ])("is replaced by all rules when `since` is %s", async (_, ms) => {
    const world = await newWorld();
    const flag = await newFlag(world.projectId);
    const answer = await poll(world.apiKey, { since: new Date(Date.now() + ms).toISOString() });
    expect(answer.headers.get("X-Delta")).toBe("full");
    expect(answer.body.map((rule) => rule.key)).toEqual([flag.key]);
  });

  it("contains a flag that is older than the environment, when the environment was created after `since`", async () => {
    const world = await newWorld();
    await newFlag(world.projectId, { key: "older" });
    const since = new Date(Date.now() - 60_000).toISOString();
    const key = await newKey((await newEnvironment(world.projectId)).id);
    const delta = await poll(key.apiKey, { since });
    expect(delta.headers.get("X-Delta")).toBe("partial");
    expect(delta.body.map((rule) => rule.key)).toEqual(["older"]);
  });
});
