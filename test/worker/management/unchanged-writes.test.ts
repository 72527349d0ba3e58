import { describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOfEntity, revisionOf, wholeDatabase } from "../support/records.ts";
import {
  inCountries,
  newFlag,
  newIntegration,
  newSegment,
  newTag,
  newWorld,
  setStrategy,
} from "../support/world.ts";

/**
 * Sends a PUT. Returns its response, and the names of the database tables with other contents than
 * before.
 */
async function sendPut(path: string, body: object) {
  const before = await wholeDatabase();
  const answer = await asAdmin("PUT", `/api/v1/${path}`, body);
  const after = await wholeDatabase();
  const isOther = (table: string) => JSON.stringify(after[table]) !== JSON.stringify(before[table]);
  return { answer, changed: Object.keys(after).filter(isOther) };
}

const nothing = { answer: { status: 200 }, changed: [] };

describe("a write that changes nothing", () => {
  it("does not create the row of a strategy that was never set", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const unset = await sendPut(`flags/${id}/strategies`, { environmentId, enabled: false });
    expect(unset).toMatchObject(nothing);
    const { answer } = unset;
    expect([answer.headers.get("ETag"), answer.body.version]).toEqual(['"0"', 0]);
  });

  it("leaves no trace when a constraint has its keys in another order", async () => {
    const { projectId } = await newWorld();
    const { id } = await newSegment(projectId, [inCountries("de")]);
    const reversed = Object.fromEntries(Object.entries(inCountries("de")).toReversed());
    expect(await sendPut(`segments/${id}`, { constraints: [reversed] })).toMatchObject(nothing);
  });

  it("leaves no trace when a flag with values and its strategy are sent back as they were read", async () => {
    const { projectId, environmentId } = await newWorld();
    const parent = await newFlag(projectId);
    const flag = await newFlag(projectId, {
      valueType: "json",
      variants: ["a", "b", "c"].map((key) => ({ key, value: { key }, description: "d" })),
      offVariant: "b",
      valueSchema: { type: "object" },
      prerequisites: [{ flagKey: parent.key, variants: ["on"] }],
    });
    expect(await sendPut(`flags/${flag.id}`, flag)).toMatchObject(nothing);
    const path = `flags/${flag.id}/strategies`;
    const split = (a: number, b: number, c: number) => ({ serve: { weights: { a, b, c } } });
    const [rule] = (await setStrategy(flag.id, { environmentId, rules: [split(34, 33, 33)] }))
      .rules;
    const strategy = await setStrategy(flag.id, {
      environmentId,
      exactPercentage: 33.333,
      hashKey: "group",
      ...split(50, 25, 25),
      rules: [{ name: "new" }, { id: rule.id, ...split(10, 80, 10) }],
    });
    expect(await sendPut(path, strategy)).toMatchObject(nothing);
  });

  it("leaves no trace when the tags of a flag are sent in another order, twice, by id or by name", async () => {
    const { projectId } = await newWorld();
    const tag = await newTag(projectId);
    const { id } = await newFlag(projectId, { tags: ["a", { tagId: tag.id, value: "b" }] });
    const all: Json[] = (await asAdmin("GET", `/api/v1/tags?projectId=${projectId}`)).body;
    const [a, b] = [
      { tagId: all.find(({ name }) => name === "a").id, value: "a" },
      { tagId: tag.id, value: "b" },
    ];
    expect(await sendPut(`flags/${id}`, { tags: [b, "a", "a"] })).toMatchObject(nothing);
    expect(await sendPut(`flags/${id}`, { tags: [b, a] })).toMatchObject(nothing);
  });

  it.each(["MASKED", "PLAIN"])(
    "leaves no trace when the secret and the header values of an integration are sent back: %s",
    async (form) => {
      const { projectId } = await newWorld();
      const secret = `whsec_${btoa("s".repeat(32))}`;
      const url = "https://receiver.example.com/hook";
      const plain = { url, secret, headers: { Authorization: "Bearer t" } };
      const { id } = await newIntegration(projectId, { configJson: JSON.stringify(plain) });
      const { configJson, ...rest } = (await asAdmin("GET", `/api/v1/integrations/${id}`)).body;
      const config = form === "MASKED" ? configJson : JSON.stringify(plain);
      expect(await sendPut(`integrations/${id}`, { ...rest, configJson: config })).toMatchObject(
        nothing,
      );
    },
  );

  it("returns 412 when If-Match names an old version", async () => {
    const { id, name } = await newFlag((await newWorld()).projectId);
    const send = () => asAdmin("PUT", `/api/v1/flags/${id}`, { name }, { "If-Match": '"7"' });
    expect(outcome(await send())).toBe("412 CONFLICT");
  });

  it("writes once for four equal requests at the same time", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const revision = await revisionOf(environmentId);
    const token = await adminToken();
    const body = { environmentId, enabled: true, percentage: 20 };
    const send = () => call("PUT", `/api/v1/flags/${id}/strategies`, { token, body });
    const answers = await Promise.all([send(), send(), send(), send()]);
    expect(answers.map(({ status, body: { version } }) => [status, version])).toEqual(
      answers.map(() => [200, 1]),
    );
    expect(await revisionOf(environmentId)).toBe(revision + 1);
    const records = await auditOfEntity("flag", id);
    expect(records.filter(({ action }) => action === "strategy.updated")).toHaveLength(1);
  });
});

describe("a write that changes only what responses mask or shorten", () => {
  it("is written when a tag of a flag gets a new id with the same value", async () => {
    const { projectId } = await newWorld();
    const [one, two] = [await newTag(projectId), await newTag(projectId)];
    const { id } = await newFlag(projectId, { tags: [{ tagId: one.id, value: "same" }] });
    const tags = [{ tagId: two.id, value: "same" }];
    expect((await asAdmin("PUT", `/api/v1/flags/${id}`, { tags })).headers.get("ETag")).toBe('"2"');
    const used = await asAdmin("GET", `/api/v1/flags/enriched?projectId=${projectId}`);
    expect(used.body.items[0].tags).toMatchObject([{ id: two.id, value: "same" }]);
  });

  it("is written when a header of an integration gets a new value", async () => {
    const { projectId } = await newWorld();
    const config = (value: string) =>
      JSON.stringify({ url: "https://receiver.example.com/hook", headers: { "X-Token": value } });
    const { id } = await newIntegration(projectId, { configJson: config("one") });
    const body = { configJson: config("two") };
    expect((await asAdmin("PUT", `/api/v1/integrations/${id}`, body)).status).toBe(200);
    const [, record] = await auditOfEntity("integration", id);
    expect(JSON.parse(record.after)).toEqual({ headersChanged: ["X-Token"] });
  });

  it("is written when a user changes the own picture", async () => {
    const avatar = "https://pictures.example.com/1.png";
    const answer = await asAdmin("PUT", "/api/v1/auth/me", { avatar });
    expect(answer.body.avatar).toBe(avatar);
    expect((await asAdmin("PUT", "/api/v1/auth/me", { avatar: null })).body.avatar).toBeNull();
  });
});
