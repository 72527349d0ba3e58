import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ids, manyFlags, projectWith, strategyOf, targets } from "../support/bulk.ts";
import { callWith } from "../support/call-with.ts";
import { call, type Json } from "../support/client.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, eventsOf, revisionOf, wholeDatabase } from "../support/records.ts";
import { countedCall } from "../support/statements.ts";
import {
  inCountries,
  newFlag,
  newKey,
  newProject,
  newSubscriber,
  newTag,
  setStrategy,
} from "../support/world.ts";

const path = "/api/v1/flags/bulk";
const read = async (id: number) => (await asAdmin("GET", `/api/v1/flags/${id}`)).body;
type Action = "archive" | "unarchive" | "tag" | "untag";
const change = (projectId: number, action: Action, flags: readonly object[], more: object = {}) =>
  asAdmin("POST", path, { projectId, action, flags, ...more });
const switched = (environmentId: number, enabled: boolean, flags: readonly object[]) =>
  asAdmin("POST", `${path}/strategies`, { environmentId, enabled, flags });

describe("a bulk change of flags", () => {
  it("archives flags with one new revision of each environment, and returns the flags that were archived before as unchanged", async () => {
    const { projectId, one, two, flags } = await projectWith(3);
    await asAdmin("POST", `/api/v1/flags/${flags[1].id}/archive`);
    const before = [await revisionOf(one), await revisionOf(two)];
    const answer = await change(projectId, "archive", targets(flags));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      changed: [flags[0].id, flags[2].id],
      unchanged: [flags[1].id],
    });
    expect([await revisionOf(one), await revisionOf(two)]).toEqual(before.map((n) => n + 1));
    expect(answer.headers.get("X-Revision")).toBe(
      before.map((n, i) => `${n + 1};environment=${[one, two][i]}`).join(", "),
    );
    for (const { id } of flags) expect((await read(id)).archived).toBe(true);
    expect((await read(flags[0].id)).version).toBe(2);
  });

  it("writes one audit record per flag with the reason and the address of the request", async () => {
    const { projectId, flags } = await projectWith(3);
    const body = { projectId, action: "archive", flags: targets(flags) };
    const headers = { "X-Change-Reason": "OPS-7", "CF-Connecting-IP": "192.0.2.7" };
    const records = await auditOf(await asAdmin("POST", path, body, headers));
    expect(records).toHaveLength(3);
    expect(records.map(({ entity_id: id }) => id)).toEqual(ids(flags));
    for (const one of records)
      expect(one).toMatchObject({
        action: "flag.archived",
        category: "change",
        entity_type: "flag",
        project_id: projectId,
        environment_id: null,
        before: { archived: false },
        after: { archived: true },
        reason: "OPS-7",
        actor_kind: "user",
        ip: "192.0.2.7",
      });
  });

  it("sends the same webhook events as changes of the single flags, with ascending sequence numbers", async () => {
    const single = await projectWith(2);
    const bulk = await projectWith(2);
    receiver();
    await newSubscriber(single.projectId);
    await newSubscriber(bulk.projectId);
    const archived = [];
    const tagged = [];
    for (const { id } of single.flags) {
      archived.push(...(await eventsOf(await asAdmin("POST", `/api/v1/flags/${id}/archive`))));
      tagged.push(
        ...(await eventsOf(await asAdmin("PUT", `/api/v1/flags/${id}`, { tags: ["t"] }))),
      );
    }
    const { projectId, flags } = bulk;
    const events = [
      ...(await eventsOf(await change(projectId, "archive", targets(flags)))),
      ...(await eventsOf(await change(projectId, "tag", targets(flags), { tag: "t" }))),
    ];
    expect(events.map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6]);
    const contents = (all: readonly Json[]) =>
      all.map(({ type, data, actor_name: actor }) => ({ type, data, actor }));
    expect(contents(events)).toEqual(contents([...archived, ...tagged]));
    expect(events.map(({ entity_id: id }) => id)).toEqual([...ids(flags), ...ids(flags)]);
    const { results } = await env.DB.prepare(
      "SELECT count(*) AS n FROM webhook_deliveries d JOIN outbox o ON o.id = d.event_id WHERE o.project_id = ?",
    )
      .bind(projectId)
      .all<{ n: number }>();
    expect(results[0]?.n).toBe(4);
  });

  it("tags and untags only flags without or with the tag, and returns them, so that the inverse change restores them", async () => {
    const { projectId, one, flags } = await projectWith(3);
    await asAdmin("PUT", `/api/v1/flags/${flags[0].id}`, { tags: ["old", "new"] });
    const revision = await revisionOf(one);
    const answer = await change(projectId, "tag", targets(flags), { tag: "new" });
    expect(answer.body).toEqual({ changed: ids(flags).slice(1), unchanged: [flags[0].id] });
    const records = await auditOf(answer);
    expect(records.map(({ before, after }) => [before, after])).toEqual([
      [{ tags: [] }, { tags: ["new"] }],
      [{ tags: [] }, { tags: ["new"] }],
    ]);
    expect((await read(flags[2].id)).tags).toEqual(["new"]);
    const undo = await change(
      projectId,
      "untag",
      answer.body.changed.map((id: number) => ({ id })),
      { tag: "new" },
    );
    expect(undo.body).toEqual({ changed: answer.body.changed, unchanged: [] });
    const tags = await Promise.all(flags.map(async ({ id }) => (await read(id)).tags));
    expect(tags).toEqual([["new", "old"], [], []]);
    expect([await revisionOf(one), undo.headers.get("X-Revision")]).toEqual([revision, null]);
  });

  it("takes a tag with a value, and removes only that value", async () => {
    const { projectId, flags } = await projectWith(2);
    const { id: tagId } = await newTag(projectId);
    for (const value of ["payments", "search"])
      await change(projectId, "tag", targets(flags), { tag: { tagId, value } });
    const answer = await change(projectId, "untag", targets(flags), {
      tag: { tagId, value: "search" },
    });
    expect(answer.body.changed).toEqual(ids(flags));
    expect((await read(flags[0].id)).tags).toEqual(["payments"]);
  });

  it("switches flags in one environment with one new revision, and leaves the rest of their strategies alone", async () => {
    const { one, two, flags } = await projectWith(3);
    const conditions = { percentage: 25, constraints: [inCountries("de")] };
    await setStrategy(flags[0].id, { environmentId: one, ...conditions });
    await setStrategy(flags[1].id, { environmentId: one, enabled: true });
    const before = [await revisionOf(one), await revisionOf(two)];
    const answer = await switched(one, true, targets(flags));
    expect(answer.body).toEqual({
      changed: [flags[0].id, flags[2].id],
      unchanged: [flags[1].id],
    });
    expect(answer.headers.get("X-Revision")).toBe(String(before[0]! + 1));
    expect([await revisionOf(one), await revisionOf(two)]).toEqual([before[0]! + 1, before[1]]);
    expect(await strategyOf(flags[0].id, one)).toMatchObject({
      ...conditions,
      enabled: true,
      version: 2,
    });
    expect(await strategyOf(flags[2].id, one)).toMatchObject({ enabled: true, version: 1 });
    const records = await auditOf(answer);
    expect(
      records.map((row) => [row.action, row.entity_id, row.environment_id, row.before, row.after]),
    ).toEqual(
      [flags[0], flags[2]].map(({ id }) => [
        "strategy.updated",
        id,
        one,
        { enabled: false },
        { enabled: true },
      ]),
    );
  });

  it("sends the same webhook event for a switched flag as a change of its strategy", async () => {
    const { projectId, one, flags } = await projectWith(2);
    receiver();
    await newSubscriber(projectId);
    const [event, ...others] = await eventsOf(await switched(one, true, targets(flags)));
    expect(others).toHaveLength(1);
    await switched(one, false, targets(flags));
    const single = await asAdmin("PUT", `/api/v1/flags/${flags[0].id}/strategies`, {
      environmentId: one,
      enabled: true,
    });
    const [expected] = await eventsOf(single);
    expect([event.type, event.data]).toEqual([expected.type, expected.data]);
  });

  it("reaches SDKs: archived flags leave the rules, and switched flags are on", async () => {
    const { projectId, one, flags } = await projectWith(3);
    const { apiKey } = await newKey(one);
    await switched(one, true, targets(flags));
    await change(projectId, "archive", targets(flags.slice(0, 1)));
    const { body } = await call("GET", "/api/client/features", { token: apiKey });
    expect(body.map(({ key, enabled }: Json) => [key, enabled])).toEqual([
      ["flag-1", true],
      ["flag-2", true],
    ]);
  });

  it("leaves no trace if all flags already are as requested", async () => {
    const { projectId, one, flags } = await projectWith(2);
    const before = await wholeDatabase();
    const answers = [
      await change(projectId, "unarchive", targets(flags)),
      await change(projectId, "untag", targets(flags), { tag: "unknown" }),
      await switched(one, false, targets(flags)),
    ];
    for (const { body } of answers) expect(body).toEqual({ changed: [], unchanged: ids(flags) });
    expect(await wholeDatabase()).toEqual(before);
  });

  it("takes the same number of statements for 2 and for 200 flags", async () => {
    const { projectId, one } = await projectWith(0);
    const flags = await manyFlags(projectId, 200);
    const token = await adminToken();
    const cost = async (url: string, body: object) => {
      const { answer, statements } = await countedCall("POST", url, { token, body });
      expect(answer.status).toBe(200);
      return statements;
    };
    const costs = async (some: readonly Json[]) => {
      // Each time another name, because a statement creates a tag that the project does not have.
      const tag = `t${some.length}`;
      const bodies = [{ action: "archive" }, { action: "unarchive" }, { action: "tag", tag }];
      const counts = [];
      for (const body of bodies)
        counts.push(await cost(path, { projectId, flags: targets(some), ...body }));
      const body = { environmentId: one, flags: targets(some) };
      counts.push(await cost(`${path}/strategies`, { ...body, enabled: true }));
      counts.push(await cost(`${path}/strategies`, { ...body, enabled: false }));
      return counts;
    };
    const few = await costs(flags.slice(0, 2));
    expect(await costs(flags)).toEqual(few);
    expect(Math.max(...few)).toBeLessThan(25);
  });
});

describe("a bulk change that cannot be made for one of its flags", () => {
  it("returns 404 with the ids of unknown flags and of flags of another project", async () => {
    const { projectId, one, flags } = await projectWith(1);
    const foreign = (await projectWith(1)).flags[0];
    const all = [{ id: 999_999_999 }, ...targets(flags), { id: foreign.id }];
    const words = `: 999999999, ${foreign.id}`;
    await expectRefused(() => change(projectId, "archive", all), "404 NOT_FOUND", words);
    await expectRefused(() => switched(one, true, all), "404 NOT_FOUND", words);
    expect(outcome(await switched(999_999_999, true, all))).toBe("404 NOT_FOUND");
  });

  it("returns 409 with the flags that dependent flags require, unless these are archived with them", async () => {
    const { projectId, flags } = await projectWith(2);
    const [parent, free] = flags;
    const prerequisites = [{ flagKey: parent.key }];
    const child = await newFlag(projectId, { key: "child", prerequisites });
    await expectRefused(
      () => change(projectId, "archive", targets([free, parent])),
      "409 CONFLICT",
      "because others require them: flag-0 (required by child)",
    );
    const all = targets([parent, child, free]);
    expect((await change(projectId, "archive", all)).body.changed).toHaveLength(3);
    await expectRefused(
      () => change(projectId, "unarchive", targets([free, child])),
      "409 CONFLICT",
      "because they require archived flags: child (requires flag-0)",
    );
    expect((await change(projectId, "unarchive", all)).body.changed).toHaveLength(3);
  });

  it("returns 409 with the archived flags that it would switch on, and switches archived flags off", async () => {
    const { projectId, one, flags } = await projectWith(2);
    await switched(one, true, targets(flags));
    await change(projectId, "archive", targets(flags.slice(0, 1)));
    await expectRefused(() => switched(one, true, targets(flags)), "409 CONFLICT", ": flag-0");
    expect((await switched(one, false, targets(flags))).body.changed).toEqual(ids(flags));
  });

  it("returns 412 with the flags whose version is not that of the request", async () => {
    const { projectId, one, flags } = await projectWith(3);
    await asAdmin("PUT", `/api/v1/flags/${flags[1].id}`, { name: "Another name" });
    await setStrategy(flags[2].id, { environmentId: one, percentage: 5 });
    const versions = (version: number) => flags.map(({ id }) => ({ id, version }));
    await expectRefused(
      () => change(projectId, "archive", versions(1)),
      "412 CONFLICT",
      "since you loaded them; load them again: flag-1",
    );
    await expectRefused(() => switched(one, true, versions(0)), "412 CONFLICT", ": flag-2");
    const current = flags.map(({ id }, n) => ({ id, version: n === 1 ? 2 : 1 }));
    expect((await change(projectId, "archive", current)).status).toBe(200);
  });

  it("returns 409 with the flags that already have 50 tags", async () => {
    const { projectId, flags } = await projectWith(1);
    const tags = Array.from({ length: 50 }, (_, n) => `tag-${n}`);
    const full = await newFlag(projectId, { key: "full", tags });
    const both = targets([...flags, full]);
    await expectRefused(
      () => change(projectId, "tag", both, { tag: "x" }),
      "409 CONFLICT",
      ": full",
    );
    expect((await change(projectId, "tag", both, { tag: "tag-7" })).body.changed).toEqual(
      ids(flags),
    );
  });

  it("returns 404 for a tag of another project, and 402 above the quota of tags", async () => {
    const { projectId, flags } = await projectWith(1);
    const { id: tagId } = await newTag((await newProject()).id);
    await expectRefused(
      () => change(projectId, "tag", targets(flags), { tag: { tagId, value: "v" } }),
      "404 NOT_FOUND",
      "A tag does not exist",
    );
    await newTag(projectId);
    const answer = await callWith({ QUOTA_TAGS: "1" }, "POST", path, {
      token: await adminToken(),
      body: { projectId, action: "tag", tag: "second", flags: targets(flags) },
    });
    expect(outcome(answer)).toBe("402 QUOTA_EXCEEDED");
  });

  it("names at most 20 flags in its error, and counts the rest", async () => {
    const { projectId } = await projectWith(0);
    const unknown = Array.from({ length: 23 }, (_, n) => ({ id: 999_000 + n }));
    const { body } = await change(projectId, "archive", unknown);
    expect(body.error).toMatch(/: 999000, .*, 999019 and 3 more$/);
  });
});

describe("the body of a bulk change", () => {
  it.each<[string, object, string[]]>([
    ["no flags", { flags: [] }, ["flags"]],
    ["201 flags", { flags: Array.from({ length: 201 }, (_, n) => ({ id: n + 1 })) }, ["flags"]],
    ["a flag that is named twice", { flags: [{ id: 1 }, { id: 2 }, { id: 1 }] }, ["flags"]],
    ["an id that is no positive integer", { flags: [{ id: 0 }] }, ["flags.0.id"]],
    ["an unknown action", { action: "delete" }, ["action"]],
    ["the action `tag` without a tag", { action: "tag" }, ["tag"]],
    ["no project", { projectId: undefined }, ["projectId"]],
  ])("returns 400 with %s", async (_, wrong, fields) => {
    const body = { projectId: 1, action: "archive", flags: [{ id: 1 }], ...wrong };
    const answer = await asAdmin("POST", path, body);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });
});

describe("a bulk change and a second change at the same time", () => {
  it("lose no change: the flags are archived, and every flag has the name that the second change sets", async () => {
    const { projectId, flags } = await projectWith(8);
    const [bulk, ...puts] = await Promise.all([
      change(projectId, "archive", targets(flags)),
      ...flags.map(({ id }, n) => asAdmin("PUT", `/api/v1/flags/${id}`, { name: `renamed ${n}` })),
    ]);
    expect([bulk, ...puts].map(({ status }) => status)).toEqual(Array(9).fill(200));
    for (const [n, { id }] of flags.entries())
      expect(await read(id)).toMatchObject({ archived: true, name: `renamed ${n}`, version: 3 });
    expect(await auditOf(bulk)).toHaveLength(8);
  });

  it("return 409 for the bulk change, and switch nothing on, if the second change archives a flag first", async () => {
    for (let round = 0; round < 4; round++) {
      const { projectId, one, flags } = await projectWith(2);
      const [on] = await Promise.all([
        switched(one, true, targets(flags)),
        change(projectId, "archive", targets(flags.slice(1))),
      ]);
      expect(["200", "409 CONFLICT"]).toContain(outcome(on));
      const { enabled } = await strategyOf(flags[0].id, one);
      expect(enabled).toBe(on.status === 200);
    }
  });

  it("succeed with overlapping flags, and each flag is changed by one of them", async () => {
    const { one, flags } = await projectWith(6);
    const first = targets(flags.slice(0, 4));
    const second = targets(flags.slice(2));
    const answers = await Promise.all([switched(one, true, first), switched(one, true, second)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const changed = answers.flatMap(({ body }) => body.changed as number[]);
    expect(changed.toSorted((a, b) => a - b)).toEqual(ids(flags));
  });
});

describe("an API key", () => {
  it("switches flags of its own environment only, and is the actor of the audit records", async () => {
    const { projectId, one, two, flags } = await projectWith(2);
    const { apiKey, id } = await newKey(one);
    const send = (url: string, body: object) => call("POST", url, { token: apiKey, body });
    const body = { enabled: true, flags: targets(flags) };
    const own = await send(`${path}/strategies`, { environmentId: one, ...body });
    expect(own.body.changed).toEqual(ids(flags));
    for (const record of await auditOf(own))
      expect([record.actor_kind, record.actor_id]).toEqual(["key", id]);
    const foreign = await send(`${path}/strategies`, { environmentId: two, ...body });
    const archive = await send(path, { projectId, action: "archive", flags: targets(flags) });
    expect([outcome(foreign), outcome(archive)]).toEqual(["403 FORBIDDEN", "403 FORBIDDEN"]);
  });
});
