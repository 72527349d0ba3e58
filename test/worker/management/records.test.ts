import { describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { ADMIN, signIn } from "../support/people.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { receiver } from "../support/receiver.ts";
import {
  inCountries,
  newFlag,
  newIntegration,
  newKey,
  newSubscriber,
  newWorld,
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
  it("contains the actor, the time, the trace id, the IP address and the reason", async () => {
    const { user } = await signIn();
    const before = Date.now();
    const { id, traceId, records } = await written("POST", "projects", { name: unique("p") });
    expect(records).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(Number),
        category: "change",
        action: "project.created",
        actor_kind: "user",
        actor_id: user.id,
        actor_name: ADMIN.email,
        entity_type: "project",
        entity_id: id,
        project_id: id,
        environment_id: null,
        before: null,
        after: { name: expect.any(String), description: null, staleDays: 40 },
        reverts_id: null,
        reason: "Ticket 4711",
        ip: "203.0.113.7",
        trace_id: traceId,
      },
    ]);
    expect(records[0].at).toBeGreaterThanOrEqual(before);
    expect(records[0].at).toBeLessThanOrEqual(Date.now());
  });

  it("contains the content of a project, an environment or an API key before and after", async () => {
    const project = await written("POST", "projects", { name: unique("p") });
    const renamed = await written("PUT", `projects/${project.id}`, { description: "d" });
    expect(renamed.records).toMatchObject([
      { action: "project.updated", before: { description: null }, after: { description: "d" } },
    ]);
    const environment = await written("POST", "environments", { name: "e", projectId: project.id });
    const at = { project_id: project.id, environment_id: environment.id };
    expect(environment.records).toMatchObject([
      {
        ...at,
        action: "environment.created",
        entity_id: environment.id,
        after: { name: "e", production: false },
      },
    ]);
    const path = `environments/${environment.id}`;
    expect((await written("PUT", path, { name: "f" })).records).toMatchObject([
      { ...at, action: "environment.updated", before: { name: "e" }, after: { name: "f" } },
    ]);
    const marked = await written("PUT", path, { name: "f", production: true });
    expect(marked.records).toMatchObject([
      {
        ...at,
        action: "environment.updated",
        before: { production: false },
        after: { production: true },
      },
    ]);
    const body = { name: "k", keyType: "SERVER", environmentId: environment.id };
    const key = await written("POST", "api-keys", body);
    expect(key.records).toMatchObject([
      { ...at, action: "api-key.created", entity_id: key.id, before: null, after: body },
    ]);
    expect((await written("PUT", `api-keys/${key.id}`, { name: "l" })).records).toMatchObject([
      { ...at, action: "api-key.updated", before: { name: "k" }, after: { name: "l" } },
    ]);
    expect((await written("DELETE", `api-keys/${key.id}`)).records).toMatchObject([
      { ...at, action: "api-key.deleted", before: { ...body, name: "l" }, after: null },
    ]);
    expect((await written("DELETE", path)).records).toMatchObject([
      {
        ...at,
        action: "environment.deleted",
        before: { name: "f", production: true },
        after: null,
      },
    ]);
    expect((await written("DELETE", `projects/${project.id}`)).records).toMatchObject([
      { action: "project.deleted", entity_id: project.id, after: null },
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
    const content = { ...body, description: null, ownerIds: [], ...values };
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
  it("is audited, and adds its webhook event to the outbox", async () => {
    const { projectId } = await newWorld();
    receiver();
    await newSubscriber(projectId);
    const created = await written("POST", "segments", { name: "s", projectId });
    const constraints = [inCountries("de")];
    const updated = await written("PUT", `segments/${created.id}`, { constraints });
    const deleted = await written("DELETE", `segments/${created.id}`);
    const names = ["segment.created", "segment.updated", "segment.deleted"];
    const steps = [created, updated, deleted];
    expect(steps.map(({ records }) => records[0].action)).toEqual(names);
    expect(steps.map(({ events }) => events[0].type)).toEqual(names);
    for (const { records, events } of steps)
      for (const row of [...records, ...events])
        expect(row).toMatchObject({ project_id: projectId, entity_id: created.id });
    expect(updated.records[0].before).toEqual({ constraints: [] });
    expect(updated.records[0].after).toEqual({ constraints });
    const content = { name: "s", description: null, constraints };
    expect(deleted.records[0]).toMatchObject({ before: content, after: null });
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
