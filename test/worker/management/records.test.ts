import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { asAdmin } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { receiver } from "../support/receiver.ts";
import {
  inCountries,
  newFlag,
  newIntegration,
  newKey,
  newSegment,
  newSubscriber,
  newWorld,
  setStrategy,
  unique,
} from "../support/world.ts";

const HEADERS = { "X-Change-Reason": "Ticket 4711", "CF-Connecting-IP": "203.0.113.7" };

/**
 * Sends a write as the administrator, with a reason and a trace id. Returns the audit records and
 * the outbox events of the write.
 */
async function written(method: string, path: string, body?: object) {
  const traceId = crypto.randomUUID().replaceAll("-", "");
  const headers = { ...HEADERS, "X-B3-TraceId": traceId };
  const answer = await asAdmin(method, `/api/v1/${path}`, body, headers);
  if (answer.status > 204) throw new Error(`${method} ${path}: ${answer.status}`);
  const records = await auditOf(answer);
  const events = await eventsOf(answer);
  return { id: answer.body.id as number, traceId, records, events };
}

describe("the audit record of a write", () => {
  it("names the environment of an environment or an API key, and has the content of a key", async () => {
    const { projectId } = await newWorld();
    const environment = await written("POST", "environments", { name: "e", projectId });
    const about = { project_id: projectId, environment_id: environment.id };
    const path = `environments/${environment.id}`;
    const body = { name: "k", keyType: "SERVER", environmentId: environment.id };
    const key = await written("POST", "api-keys", body);
    const steps = [
      environment,
      await written("PUT", path, { name: "f" }),
      key,
      await written("PUT", `api-keys/${key.id}`, { name: "l" }),
      await written("DELETE", `api-keys/${key.id}`),
      await written("DELETE", path),
    ];
    expect(steps.flatMap(({ records }) => records)).toMatchObject([
      { ...about, action: "environment.created", entity_id: environment.id },
      { ...about, action: "environment.updated" },
      { ...about, action: "api-key.created", entity_id: key.id, before: null, after: body },
      { ...about, action: "api-key.updated", before: { name: "k" }, after: { name: "l" } },
      { ...about, action: "api-key.deleted", before: { ...body, name: "l" }, after: null },
      { ...about, action: "environment.deleted" },
    ]);
  });

  it("contains the first 500 characters of the reason", async () => {
    const headers = { "X-Change-Reason": "r".repeat(2000) };
    const answer = await asAdmin("POST", "/api/v1/projects", { name: unique("p") }, headers);
    expect((await auditOf(answer))[0].reason).toBe("r".repeat(500));
  });
});

describe("every change of a flag", () => {
  it("is audited, and adds its webhook event to the outbox", async () => {
    const { projectId, environmentId } = await newWorld();
    receiver();
    await newSubscriber(projectId);
    const body = { key: unique("k"), name: "n", flagType: "RELEASE", tags: ["t"], projectId };
    const created = await written("POST", "flags", body);
    const path = `flags/${created.id}`;
    const steps = [
      created,
      await written("PUT", path, { name: "m" }),
      await written("PUT", `${path}/strategies`, { environmentId, percentage: 25 }),
      await written("POST", `${path}/archive`),
      await written("POST", `${path}/unarchive`),
      await written("POST", `${path}/archive`),
      await written("DELETE", path),
    ];
    const about = { project_id: projectId, entity_id: created.id };
    for (const { records, events, traceId } of steps) {
      expect(records).toMatchObject([{ ...about, trace_id: traceId, reason: "Ticket 4711" }]);
      expect(events).toMatchObject([{ ...about, trace_id: traceId }]);
      expect(events[0].event_id).toMatch(/^[0-9a-f]{32}$/);
      expect(events[0].data.flag.key).toBe(body.key);
    }
    expect(steps.map(({ records }) => records[0].action)).toEqual([
      "flag.created",
      "flag.updated",
      "strategy.updated",
      "flag.archived",
      "flag.unarchived",
      "flag.archived",
      "flag.deleted",
    ]);
    expect(steps.map(({ events }) => events[0].type)).toEqual([
      "flag.created",
      "flag.updated",
      "flag.updated",
      "flag.archived",
      "flag.unarchived",
      "flag.archived",
      "flag.deleted",
    ]);
    expect(steps[0]?.records[0].after).toMatchObject({ key: body.key, name: "n", tags: ["t"] });
    expect(steps[1]?.records[0]).toMatchObject({ before: { name: "n" }, after: { name: "m" } });
    expect(steps[2]?.records[0]).toMatchObject({
      environment_id: environmentId,
      before: { percentage: 100 },
      after: { percentage: 25 },
    });
    expect(steps[2]?.events[0].data).toMatchObject({
      environment: { id: environmentId },
      strategy: { percentage: 25 },
    });
    expect(steps[6]?.records[0]).toMatchObject({
      before: { key: body.key, name: "m" },
      after: null,
    });
  });
});

describe("a flag with values", () => {
  const NARROW = { key: "narrow", value: { columns: 1 }, description: "For phones" };
  const WIDE = { key: "wide", value: { columns: 3 } };

  async function layout() {
    const world = await newWorld();
    receiver();
    await newSubscriber(world.projectId);
    const parent = await newFlag(world.projectId);
    const values = {
      valueType: "json",
      variants: [NARROW, WIDE],
      offVariant: "narrow",
      valueSchema: { type: "object" },
      prerequisites: [{ flagKey: parent.key as string, enabled: true, variants: ["on"] }],
    };
    return { ...world, values };
  }

  it("has all of its values in the record and the webhook event of its creation, and in the record of its deletion", async () => {
    const { projectId, values } = await layout();
    const body = { key: unique("k"), name: "n", flagType: "RELEASE" };
    const created = await written("POST", "flags", { ...body, projectId, ...values });
    const content = { ...body, description: null, ownerIds: [], clients: "all", ...values };
    expect(created.records[0].after).toEqual({ ...content, tags: [] });
    expect(created.events[0].data.flag).toEqual(content);
    await written("POST", `flags/${created.id}/archive`);
    const deleted = await written("DELETE", `flags/${created.id}`);
    expect(deleted.records[0]).toMatchObject({ before: content, after: null });
  });

  it.each([
    [{ variants: [WIDE, NARROW] }],
    [{ offVariant: null }],
    [{ valueSchema: null }],
    [{ prerequisites: [] }],
    [{ variants: [WIDE], offVariant: "wide", valueSchema: { maxProperties: 1 }, name: "m" }],
  ])(
    "has the changed fields in the record, and all fields in the webhook event: %j",
    async (change) => {
      const { projectId, values } = await layout();
      const flag = await newFlag(projectId, { name: "n", ...values });
      const { records, events } = await written("PUT", `flags/${flag.id}`, change);
      const before = Object.fromEntries(
        Object.keys(change).map((field) => [field, flag[field] as unknown]),
      );
      expect(records[0].before).toMatchObject(before);
      expect(Object.keys(records[0].after).toSorted()).toEqual(Object.keys(change).toSorted());
      const { key, name, description } = flag;
      expect(events[0].data.flag).toEqual({
        key,
        name,
        description,
        tags: [],
        ownerIds: [],
        clients: "all",
        ...values,
        ...change,
      });
    },
  );

  it("has the rules and the split of its strategy in the record and in the webhook event", async () => {
    const { projectId, environmentId, values } = await layout();
    const { id } = await newFlag(projectId, values);
    const change = {
      exactPercentage: 12.5,
      hashKey: "group",
      splitKey: "split",
      splitStickiness: "device",
    };
    const rule = { name: "Staff", ...change, constraints: [inCountries("de")] };
    const { records, events } = await written("PUT", `flags/${id}/strategies`, {
      environmentId,
      ...change,
      serve: { weights: { narrow: 75, wide: 25 } },
      rules: [{ ...rule, serve: { variant: "wide" } }],
    });
    const strategy = (await asAdmin("GET", `/api/v1/flags/${id}/strategies/${environmentId}`)).body;
    const { serve, rules } = strategy;
    expect(serve.slots).toHaveLength(2);
    expect(rules).toMatchObject([{ ...rule, percentage: 12, serve: { variant: "wide" } }]);
    const unset = { hashKey: null, splitKey: null, splitStickiness: null };
    expect(records[0].before).toEqual({
      percentage: 100,
      exactPercentage: null,
      ...unset,
      serve: { variant: "narrow" },
      rules: [],
    });
    expect(records[0].after).toEqual({ percentage: 12, ...change, serve, rules });
    const { flagId, environmentName: _, version: _v, updatedAt: _u, ...content } = strategy;
    expect(flagId).toBe(id);
    expect({ ...events[0].data.strategy, environmentId }).toEqual(content);
  });
});

describe("every change of a segment", () => {
  it("adds its webhook event to the outbox", async () => {
    const { projectId } = await newWorld();
    receiver();
    await newSubscriber(projectId);
    const created = await written("POST", "segments", { name: "s", projectId });
    const path = `segments/${created.id}`;
    const updated = await written("PUT", path, { constraints: [inCountries("de")] });
    const deleted = await written("DELETE", path);
    const about = { project_id: projectId, entity_id: created.id };
    expect([created, updated, deleted].flatMap(({ events }) => events)).toMatchObject([
      { ...about, type: "segment.created" },
      { ...about, type: "segment.updated" },
      { ...about, type: "segment.deleted" },
    ]);
  });
});

describe("the webhook event of a change", () => {
  it("is stored only if an enabled integration of the project subscribes to its type", async () => {
    const { projectId } = await newWorld();
    receiver();
    const { id } = await newFlag(projectId);
    const eventsOfRename = async () =>
      (await written("PUT", `flags/${id}`, { name: unique("n") })).events.map(({ type }) => type);
    expect(await eventsOfRename()).toEqual([]);
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.created"]' });
    await newIntegration(projectId, { enabled: false });
    expect(await eventsOfRename()).toEqual([]);
    await newIntegration(projectId, { eventSubscriptionsJson: '["flag.updated"]' });
    expect(await eventsOfRename()).toEqual(["flag.updated"]);
  });
});

describe("a write with an API key", () => {
  it("is audited with the key as its actor", async () => {
    const { projectId, environmentId } = await newWorld();
    const key = await newKey(environmentId);
    const flag = await newFlag(projectId);
    const answer = await call("PUT", `/api/v1/flags/${flag.id}/strategies`, {
      token: key.apiKey,
      body: { environmentId, enabled: true },
    });
    expect(await auditOf(answer)).toMatchObject([
      { actor_kind: "key", actor_id: key.id, actor_name: key.name, reason: null },
    ]);
  });
});

/** Returns long country names, of which 500 take about 100 KB. */
const countries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => String(from + n).padStart(200, "c"));

/** Returns the newest audit record about a resource, as the API shows it. */
async function lastRecord(entityType: string, entityId: number) {
  const query = `entityType=${entityType}&entityId=${entityId}&size=1`;
  return (await asAdmin("GET", `/api/v1/audit?${query}`)).body.items[0];
}

describe("the content of an audit record", () => {
  it("counts the values that a long list has before and after the change", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const listing = (...values: string[]) => ({
      environmentId,
      constraints: [inCountries("de"), inCountries(...values)],
    });
    await setStrategy(id, listing(...countries(0, 500)));
    await setStrategy(id, listing("new", ...countries(0, 100), ...countries(101, 500)));
    const { before, after } = await lastRecord("flag", id);
    const one = { $unchanged: 1 };
    const removed = [{ $unchanged: 100 }, ...countries(100, 101), { $unchanged: 399 }];
    expect(before).toEqual({ constraints: [one, { ...inCountries(), values: removed }] });
    const added = ["new", { $unchanged: 499 }];
    expect(after).toEqual({ constraints: [one, { ...inCountries(), values: added }] });
  });

  it("has the size and the hash of a list that is larger than 32 KB, when a segment is created and deleted", async () => {
    const values = countries(0, 500);
    const { id, name } = await newSegment((await newWorld()).projectId, [inCountries(...values)]);
    const text = JSON.stringify(values);
    const cut = { $cut: { bytes: text.length, items: 500, sha256: await sha256(text) } };
    const content = { name, description: null, constraints: [{ ...inCountries(), values: cut }] };
    expect((await lastRecord("segment", id)).after).toEqual(content);
    await asAdmin("DELETE", `/api/v1/segments/${id}`);
    expect(await lastRecord("segment", id)).toMatchObject({ before: content, after: null });
  });
});
