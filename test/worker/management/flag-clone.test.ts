import { describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import type { Json } from "../support/client.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newSubscriber,
  newTag,
  setStrategy,
  unique,
} from "../support/world.ts";

const clone = (id: number, more: object = {}) =>
  asAdmin("POST", `/api/v1/flags/${id}/clone`, { key: "copy", name: "Copy", ...more });
const strategiesOf = async (id: number): Promise<Json[]> =>
  (await asAdmin("GET", `/api/v1/flags/${id}/strategies`)).body;

/** Creates a string flag with everything that a flag can have, in a project with two environments. */
async function richFlag() {
  const { id: projectId } = (await newProject()) as { id: number };
  const [one, two] = [await newEnvironment(projectId), await newEnvironment(projectId)];
  const { id: segmentId } = (await newSegment(projectId, [])) as { id: number };
  const { id: tagId } = (await newTag(projectId)) as { id: number };
  const owner = await person("DEVELOPER");
  const parent = await newFlag(projectId, { key: "parent" });
  const flag = await newFlag(projectId, {
    key: "source",
    name: "Source",
    description: "What it does",
    flagType: "KILLSWITCH",
    valueType: "string",
    variants: [
      { key: "blue", value: "#00f", description: "Cold" },
      { key: "red", value: "#f00" },
    ],
    offVariant: "blue",
    valueSchema: { type: "string" },
    prerequisites: [{ flagKey: "parent", enabled: true, variants: ["on"] }],
    tags: ["plain", { tagId, value: "valued" }],
    ownerIds: [owner.id],
  });
  await setStrategy(flag.id, {
    environmentId: one.id,
    enabled: true,
    exactPercentage: 12.5,
    constraints: [inCountries("de")],
    segmentIds: [segmentId],
    stickiness: "userId",
    serve: { weights: { blue: 20, red: 80 } },
    rules: [{ name: "Rule", segmentIds: [segmentId], hashKey: "h", serve: { variant: "red" } }],
  });
  return { projectId, one: one.id as number, two: two.id as number, flag, parent, segmentId };
}

/** The fields in which a clone differs from its flag. */
const OWN = new Set(["id", "key", "name", "flagId", "createdAt", "updatedAt", "version"]);

/** Returns the fields that a clone takes over. */
const contentOf = (item: Json): Json =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !OWN.has(field)));

describe("a clone of a flag", () => {
  it("has the content, tags, owners, prerequisites and strategies of the flag, and is off", async () => {
    const { flag, segmentId } = await richFlag();
    const answer = await clone(flag.id);
    expect([answer.status, answer.headers.get("ETag")]).toEqual([201, '"1"']);
    const source = (await asAdmin("GET", `/api/v1/flags/${flag.id}`)).body;
    expect(answer.body).toMatchObject({ key: "copy", name: "Copy", enabled: false, version: 1 });
    expect(contentOf(answer.body)).toEqual({ ...contentOf(source), enabled: false });
    const [copies, originals] = [await strategiesOf(answer.body.id), await strategiesOf(flag.id)];
    expect(copies.map(contentOf)).toEqual(
      originals.map((strategy) => Object.assign(contentOf(strategy), { enabled: false })),
    );
    expect(copies.map(({ version }) => version)).toEqual([1, 0]);
    const using = await asAdmin(
      "GET",
      `/api/v1/flags?projectId=${flag.projectId}&segmentId=${segmentId}`,
    );
    expect(using.body.items.map(({ key }: Json) => key)).toEqual(["source", "copy"]);
  });

  it("is on where the flag is on, with `keepState`", async () => {
    const { flag } = await richFlag();
    const { body } = await clone(flag.id, { keepState: true });
    expect(body.enabled).toBe(true);
    expect((await strategiesOf(body.id)).map(({ enabled }) => enabled)).toEqual([true, false]);
  });

  it("keeps its strategies when the flag is changed and deleted", async () => {
    const { flag, one } = await richFlag();
    const { id } = (await clone(flag.id)).body;
    const before = await strategiesOf(id);
    await setStrategy(flag.id, { environmentId: one, percentage: 1, rules: [] });
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    await asAdmin("DELETE", `/api/v1/flags/${flag.id}`);
    expect(await strategiesOf(id)).toEqual(before);
    expect(before[0]?.rules).toHaveLength(1);
  });

  it("is not archived, even if the flag is archived", async () => {
    const { flag } = await richFlag();
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    expect((await clone(flag.id)).body).toMatchObject({ archived: false, enabled: false });
  });

  it("has one audit record that names the flag, the event of a creation, and a revision of each environment", async () => {
    const { projectId, flag, one, two } = await richFlag();
    receiver();
    await newSubscriber(projectId);
    const before = [await revisionOf(one), await revisionOf(two)];
    const answer = await asAdmin(
      "POST",
      `/api/v1/flags/${flag.id}/clone`,
      { key: "copy", name: "Copy" },
      { "X-Change-Reason": "OPS-9" },
    );
    const records = await auditOf(answer);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      action: "flag.created",
      entity_id: answer.body.id,
      project_id: projectId,
      reason: "OPS-9",
      before: null,
      after: {
        key: "copy",
        clonedFrom: "source",
        keepState: false,
        flagType: "KILLSWITCH",
        prerequisites: [{ flagKey: "parent", enabled: true, variants: ["on"] }],
      },
    });
    const [event, ...others] = await eventsOf(answer);
    expect([event?.type, event?.entity_id, others]).toEqual(["flag.created", answer.body.id, []]);
    expect(event?.data.flag).toMatchObject({ key: "copy", name: "Copy", valueType: "string" });
    expect([await revisionOf(one), await revisionOf(two)]).toEqual(before.map((n) => n + 1));
    expect(answer.headers.get("X-Revision")).toContain(`${before[0]! + 1};environment=${one}`);
  });
});

describe("a clone that is refused", () => {
  it("returns 409 if the key is in use, or if the flag requires an archived flag", async () => {
    const { flag, parent } = await richFlag();
    await expectRefused(() => clone(flag.id, { key: "source" }), "409 CONFLICT", "with this key");
    expect((await clone(flag.id, { key: "free" })).status).toBe(201);
    for (const { id } of (
      await asAdmin("GET", `/api/v1/flags?projectId=${flag.projectId}&search=free`)
    ).body.items)
      await asAdmin("POST", `/api/v1/flags/${id}/archive`);
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    await asAdmin("POST", `/api/v1/flags/${parent.id}/archive`);
    await expectRefused(
      () => clone(flag.id),
      "409 CONFLICT",
      "cannot be cloned, because it requires these archived flags: parent",
    );
  });

  it("returns 402 above the quota of flags, and if the rules would become too large", async () => {
    const { flag } = await richFlag();
    const send = async (quota: Record<string, string>) =>
      callWith(quota, "POST", `/api/v1/flags/${flag.id}/clone`, {
        token: await adminToken(),
        body: { key: unique("clone"), name: "n" },
      });
    await expectRefused(() => send({ QUOTA_FLAGS: "2" }), "402 QUOTA_EXCEEDED", "2 flags");
    const [, bytes] = /would have (\d+) bytes/.exec(
      (await send({ QUOTA_RULE_BYTES: "1" })).body.error,
    )!;
    const below = String(Number(bytes) - 1);
    await expectRefused(() => send({ QUOTA_RULE_BYTES: below }), "402 QUOTA_EXCEEDED", below);
    expect((await send({ QUOTA_RULE_BYTES: bytes! })).status).toBe(201);
  });

  it.each<[string, object, string[]]>([
    ["without a key", { key: undefined }, ["key"]],
    ["with a key that is not allowed", { key: "a b" }, ["key"]],
    ["with an empty name", { name: "" }, ["name"]],
    ["with a state that is no boolean", { keepState: "yes" }, ["keepState"]],
  ])("returns 400 %s", async (_, wrong, fields) => {
    const answer = await clone(1, wrong);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });
});

describe("a clone and a second change at the same time", () => {
  it("never mix: the clone is the whole flag before or after the second change", async () => {
    for (let round = 0; round < 3; round++) {
      const { flag } = await richFlag();
      const [cloned, changed] = await Promise.all([
        clone(flag.id),
        asAdmin("PUT", `/api/v1/flags/${flag.id}`, { description: "New", tags: ["new"] }),
      ]);
      expect([cloned.status, changed.status]).toEqual([201, 200]);
      const { description, tags } = cloned.body;
      expect([
        ["What it does", ["plain", "valued"]],
        ["New", ["new"]],
      ]).toContainEqual([description, tags]);
    }
  });

  it("succeed once if both are clones with the same key", async () => {
    const { flag } = await richFlag();
    const answers = await Promise.all([clone(flag.id), clone(flag.id), clone(flag.id)]);
    expect(answers.map(outcome).toSorted()).toEqual(["201", "409 CONFLICT", "409 CONFLICT"]);
  });
});
