import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ids, manyFlags, projectWith, strategyOf, targets } from "../support/bulk.ts";
import { callWith } from "../support/call-with.ts";
import { call, type Json } from "../support/client.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import { countedCall } from "../support/statements.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newKey,
  newProject,
  newSegment,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";

const path = "/api/v1/flags/bulk/strategies";
/** Returns the fields of a strategy that a copy takes over, without the ids of its rules. */
async function rulesOf(flagId: number, environmentId: number) {
  const { rules, enabled, percentage, constraints, segmentIds, serve } = await strategyOf(
    flagId,
    environmentId,
  );
  const withoutIds = rules.map((rule: Json) => Object.assign(rule, { id: undefined }));
  return { enabled, percentage, constraints, segmentIds, serve, rules: withoutIds };
}

async function worldOf(count: number) {
  const { one: from, two: to, ...rest } = await projectWith(count);
  return { ...rest, from, to };
}

type World = Pick<Awaited<ReturnType<typeof worldOf>>, "from" | "to">;
const copy = ({ from, to }: World, flags: readonly object[], more: object = {}) =>
  asAdmin("POST", `${path}/copy`, {
    environmentId: to,
    fromEnvironmentId: from,
    flags,
    ...more,
  });
const revert = (environmentId: number, flags: readonly object[]) =>
  asAdmin("POST", `${path}/revert`, { environmentId, flags });

/** Gives a string flag rules, a split and segments in one environment. */
async function withRules(flagId: number, environmentId: number, segmentId: number) {
  await setStrategy(flagId, {
    environmentId,
    enabled: true,
    percentage: 40,
    constraints: [inCountries("de")],
    segmentIds: [segmentId],
    serve: { weights: { off: 25, on: 75 } },
    rules: [
      { name: "First", percentage: 10, segmentIds: [segmentId], serve: { variant: "off" } },
      { name: "Second", constraints: [inCountries("fr")] },
    ],
  });
}

describe("a copy of strategies from one environment to another", () => {
  it("gives the flags the same rules, keeps their state, and makes one new revision of the target only", async () => {
    const world = await worldOf(3);
    const { projectId, from, to, flags } = world;
    const { id: segmentId } = (await newSegment(projectId, [])) as { id: number };
    await withRules(flags[0].id, from, segmentId);
    await setStrategy(flags[1].id, { environmentId: to, enabled: true, percentage: 5 });
    const before = [await revisionOf(from), await revisionOf(to)];
    const answer = await copy(world, targets(flags));
    expect(answer.body).toEqual({
      changed: [flags[0].id, flags[1].id],
      unchanged: [flags[2].id],
    });
    expect([await revisionOf(from), await revisionOf(to)]).toEqual([before[0], before[1]! + 1]);
    expect(answer.headers.get("X-Revision")).toBe(String(before[1]! + 1));
    expect(await rulesOf(flags[0].id, to)).toEqual({
      ...(await rulesOf(flags[0].id, from)),
      enabled: false,
    });
    expect(await strategyOf(flags[1].id, to)).toMatchObject({
      enabled: true,
      percentage: 100,
      version: 2,
    });
    const used = await asAdmin(
      "GET",
      `/api/v1/flags?projectId=${projectId}&segmentId=${segmentId}`,
    );
    expect(used.body.items).toHaveLength(1);
    const uses = await env.DB.prepare(
      "SELECT sum(uses) AS n FROM strategy_rule_segments WHERE environment_id = ?",
    )
      .bind(to)
      .first();
    expect(uses).toEqual({ n: 1 });
    expect((await copy(world, targets(flags))).body).toEqual({
      changed: [],
      unchanged: ids(flags),
    });
  });

  it("copies whether a flag is on only with `withState`", async () => {
    const world = await worldOf(2);
    const { from, to, flags } = world;
    await setStrategy(flags[0].id, { environmentId: from, enabled: true });
    await setStrategy(flags[1].id, { environmentId: to, enabled: true });
    expect((await copy(world, targets(flags))).body.changed).toEqual([]);
    const answer = await copy(world, targets(flags), { withState: true });
    expect(answer.body.changed).toEqual(ids(flags));
    expect((await strategyOf(flags[0].id, to)).enabled).toBe(true);
    expect((await strategyOf(flags[1].id, to)).enabled).toBe(false);
  });

  it("gives copied rules new ids, and keeps the ids of rules that are equal already", async () => {
    const world = await worldOf(1);
    const { from, to, flags } = world;
    const [{ id }] = flags as [Json];
    await setStrategy(id, { environmentId: from, rules: [{ name: "One", percentage: 5 }] });
    await copy(world, targets(flags));
    const [source, copied] = [await strategyOf(id, from), await strategyOf(id, to)];
    expect(copied.rules[0].id).not.toBe(source.rules[0].id);
    await setStrategy(id, { environmentId: from, percentage: 50 });
    await copy(world, targets(flags));
    expect(await strategyOf(id, to)).toMatchObject({ rules: copied.rules, percentage: 50 });
  });

  it("writes one audit record and one webhook event per flag, with the reason", async () => {
    const world = await worldOf(2);
    const { projectId, from, to, flags } = world;
    receiver();
    await newSubscriber(projectId);
    for (const { id } of flags) await setStrategy(id, { environmentId: from, percentage: 30 });
    const body = { environmentId: to, fromEnvironmentId: from, flags: targets(flags) };
    const answer = await call("POST", `${path}/copy`, {
      token: await adminToken(),
      headers: { "X-Change-Reason": "Release 7" },
      body,
    });
    const records = await auditOf(answer);
    expect(
      records.map((row) => [row.action, row.entity_id, row.environment_id, row.reason, row.after]),
    ).toEqual(
      ids(flags).map((id) => ["strategy.updated", id, to, "Release 7", { percentage: 30 }]),
    );
    const events = await eventsOf(answer);
    expect(events.map(({ type, data }) => [type, data.flag.key, data.environment.id])).toEqual([
      ["flag.updated", "flag-0", to],
      ["flag.updated", "flag-1", to],
    ]);
  });

  it("is undone with the slots and ids of the rules as they were, and each record of the undo names the record that it reverts", async () => {
    const world = await worldOf(2);
    const { projectId, from, to, flags } = world;
    const { id: segmentId } = (await newSegment(projectId, [])) as { id: number };
    await withRules(flags[0].id, to, segmentId);
    await setStrategy(flags[0].id, {
      environmentId: to,
      serve: { weights: { off: 60, on: 40 } },
    });
    await setStrategy(flags[1].id, { environmentId: from, percentage: 1 });
    const before = [await strategyOf(flags[0].id, to), await strategyOf(flags[1].id, to)];
    const copied = await copy(world, targets(flags));
    expect(copied.body.changed).toEqual(ids(flags));
    const undo = await revert(to, [
      { id: flags[0].id, version: before[0].version + 1 },
      { id: flags[1].id, version: before[1].version + 1 },
    ]);
    expect(undo.body).toEqual({ changed: ids(flags), unchanged: [] });
    for (const [n, { id }] of flags.entries()) {
      const { version, updatedAt, ...content } = await strategyOf(id, to);
      expect({ ...before[n], ...content }).toEqual(before[n]);
      expect([version, typeof updatedAt]).toEqual([before[n].version + 2, "string"]);
    }
    const reverted = (await auditOf(undo)).map(({ reverts_id }) => reverts_id);
    expect(reverted).toEqual((await auditOf(copied)).map(({ id }) => id));
  });

  it("takes the same number of statements for 2 and for 200 flags, and so does its undo", async () => {
    const { projectId, from, to } = await worldOf(0);
    const flags = await manyFlags(projectId, 200);
    const { id: segmentId } = (await newSegment(projectId, [])) as { id: number };
    await env.DB.prepare(
      `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
        SELECT id, ?, 1, 10, '[]', 1 FROM flags WHERE project_id = ?`,
    )
      .bind(from, projectId)
      .run();
    await withRules(flags[0]!.id, from, segmentId);
    const token = await adminToken();
    const cost = async (url: string, body: object, changed: number) => {
      const { answer, statements } = await countedCall("POST", url, { token, body });
      expect([answer.status, answer.body.changed?.length]).toEqual([200, changed]);
      return statements;
    };
    const costs = async (some: readonly Json[]) => {
      const body = { environmentId: to, flags: targets(some) };
      const all = some.length;
      return [
        await cost(`${path}/copy`, { ...body, fromEnvironmentId: from, withState: true }, all),
        await cost(`${path}/revert`, body, all),
      ];
    };
    const few = await costs(flags.slice(0, 2));
    expect(await costs(flags)).toEqual(few);
    expect(Math.max(...few)).toBeLessThan(28);
  });
});

describe("a copy of strategies that is refused", () => {
  it("returns 412 with the flags whose strategy has changed in the target or in the source", async () => {
    const world = await worldOf(3);
    const { from, to, flags } = world;
    for (const { id } of flags) await setStrategy(id, { environmentId: from, percentage: 20 });
    await setStrategy(flags[1].id, { environmentId: to, percentage: 5 });
    const named = (versions: object) => flags.map(({ id }) => ({ id, ...versions }));
    const words = "since you loaded them; load them again: flag-";
    await expectRefused(() => copy(world, named({ version: 0 })), "412 CONFLICT", `${words}1`);
    await setStrategy(flags[2].id, { environmentId: from, percentage: 21 });
    await expectRefused(() => copy(world, named({ fromVersion: 1 })), "412 CONFLICT", `${words}2`);
    const current = flags.map(({ id }, n) => ({
      id,
      version: n === 1 ? 1 : 0,
      fromVersion: n === 2 ? 2 : 1,
    }));
    expect((await copy(world, current)).status).toBe(200);
    await expectRefused(() => revert(to, named({ version: 1 })), "412 CONFLICT", `${words}1`);
  });

  it("returns 404 for flags and environments that are unknown or of another project", async () => {
    const world = await worldOf(1);
    const foreign = await worldOf(1);
    const both = targets([...world.flags, ...foreign.flags]);
    const words = `: ${foreign.flags[0].id}`;
    await expectRefused(() => copy(world, both), "404 NOT_FOUND", words);
    await expectRefused(() => revert(world.to, both), "404 NOT_FOUND", words);
    const some = targets(world.flags);
    for (const other of [foreign.from, 999_999_999]) {
      await expectRefused(
        () => copy({ ...world, from: other }, some),
        "404 NOT_FOUND",
        "source environment does not exist",
      );
      const answer = await copy({ ...world, to: other }, some);
      expect(outcome(answer)).toBe("404 NOT_FOUND");
    }
  });

  it("returns 409 with the archived flags that it would switch on, and copies their rules without `withState`", async () => {
    const world = await worldOf(2);
    for (const { id } of world.flags)
      await setStrategy(id, { environmentId: world.from, enabled: true, percentage: 3 });
    await asAdmin("POST", `/api/v1/flags/${world.flags[0].id}/archive`);
    const all = targets(world.flags);
    await expectRefused(
      () => copy(world, all, { withState: true }),
      "409 CONFLICT",
      "leave them out: flag-0",
    );
    expect((await copy(world, all)).body.changed).toEqual(ids(world.flags));
  });

  it("returns 402 if the rules of the target would become too large together", async () => {
    const world = await worldOf(3);
    for (const { id } of world.flags)
      await setStrategy(id, {
        environmentId: world.from,
        constraints: [inCountries("x".repeat(400))],
      });
    const { ruleBytes } = (await asAdmin("GET", `/api/v1/environments/${world.to}`)).body;
    const quota = String(ruleBytes + 1200);
    const send = async (flags: readonly Json[]) =>
      callWith({ QUOTA_RULE_BYTES: quota }, "POST", `${path}/copy`, {
        token: await adminToken(),
        body: { environmentId: world.to, fromEnvironmentId: world.from, flags: targets(flags) },
      });
    await expectRefused(
      () => send(world.flags),
      "402 QUOTA_EXCEEDED",
      `the quota is ${quota} bytes`,
    );
    expect((await send(world.flags.slice(0, 2))).status).toBe(200);
  });

  it("returns 409 for an undo of no change, and of a change whose variant or segment no longer exists", async () => {
    const { projectId, from, to } = await worldOf(0);
    const untouched = await newFlag(projectId, { key: "untouched" });
    await expectRefused(
      () => revert(to, targets([untouched])),
      "409 CONFLICT",
      "no change that can be undone: untouched",
    );
    const variants = ["blue", "red", "green"].map((key) => ({ key, value: key }));
    const colour = await newFlag(projectId, { key: "colour", valueType: "string", variants });
    await setStrategy(colour.id, { environmentId: to, serve: { variant: "red" } });
    await copy({ from, to }, targets([colour]));
    await asAdmin("PUT", `/api/v1/flags/${colour.id}`, { variants: variants.slice(0, 1) });
    await expectRefused(
      () => revert(to, targets([colour])),
      "409 CONFLICT",
      "variants that they no longer have: colour",
    );
    const segment = await newSegment(projectId, []);
    await setStrategy(untouched.id, { environmentId: to, segmentIds: [segment.id] });
    await copy({ from, to }, targets([untouched]));
    expect((await asAdmin("DELETE", `/api/v1/segments/${segment.id}`)).status).toBe(204);
    await expectRefused(
      () => revert(to, targets([untouched])),
      "409 CONFLICT",
      "a segment that no longer exists",
    );
  });

  it.each<[string, object, string[]]>([
    ["201 flags", { flags: Array.from({ length: 201 }, (_, n) => ({ id: n + 1 })) }, ["flags"]],
    ["no flags", { flags: [] }, ["flags"]],
    ["the same environment twice", { fromEnvironmentId: 1 }, ["fromEnvironmentId"]],
    [
      "a version that is no integer",
      { flags: [{ id: 1, fromVersion: -1 }] },
      ["flags.0.fromVersion"],
    ],
  ])("returns 400 with %s", async (_, wrong, fields) => {
    const body = { environmentId: 1, fromEnvironmentId: 2, flags: [{ id: 1 }], ...wrong };
    const answer = await asAdmin("POST", `${path}/copy`, body);
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(invalidFields(answer)).toEqual(fields);
  });

  it("returns 403 for an API key of another environment than the target", async () => {
    const { from, to, flags } = await worldOf(1);
    await setStrategy(flags[0].id, { environmentId: from, percentage: 9 });
    const { apiKey } = await newKey(to);
    const send = (verb: "copy" | "revert", body: object) =>
      call("POST", `${path}/${verb}`, { token: apiKey, body: { ...body, flags: targets(flags) } });
    const back = { environmentId: from, fromEnvironmentId: to };
    expect(outcome(await send("copy", back))).toBe("403 FORBIDDEN");
    expect(outcome(await send("revert", back))).toBe("403 FORBIDDEN");
    const own = { environmentId: to, fromEnvironmentId: from };
    expect((await send("copy", own)).body.changed).toEqual(ids(flags));
    expect((await send("revert", own)).status).toBe(200);
  });
});

describe("a copy of strategies and a second change at the same time", () => {
  it("never mix: each copied strategy is the whole source before or after the second change", async () => {
    const world = await worldOf(4);
    const { from, to, flags } = world;
    for (const { id } of flags)
      await setStrategy(id, { environmentId: from, percentage: 10, stickiness: "old" });
    const [copied, ...others] = await Promise.all([
      copy(world, targets(flags)),
      ...flags.map(({ id }) =>
        setStrategy(id, { environmentId: from, percentage: 90, stickiness: "new" }),
      ),
      setStrategy(flags[0].id, { environmentId: to, hashKey: "kept" }),
    ]);
    expect([copied.status, others.length]).toEqual([200, 5]);
    for (const { id } of flags) {
      const { percentage, stickiness } = await strategyOf(id, to);
      expect(["10 old", "90 new"]).toContain(`${percentage} ${stickiness}`);
    }
  });

  it("never lose the second change: a copy with versions returns 412 if the second change was first", async () => {
    for (let round = 0; round < 4; round++) {
      const world = await worldOf(2);
      const { from, to, flags } = world;
      for (const { id } of flags) await setStrategy(id, { environmentId: from, percentage: 10 });
      const named = flags.map(({ id }) => ({ id, version: 0, fromVersion: 1 }));
      const [copied] = await Promise.all([
        copy(world, named),
        setStrategy(flags[1].id, { environmentId: to, percentage: 77 }),
      ]);
      expect(["200", "412 CONFLICT"]).toContain(outcome(copied));
      expect((await strategyOf(flags[1].id, to)).percentage).toBe(77);
      expect((await strategyOf(flags[0].id, to)).percentage).toBe(copied.status === 200 ? 10 : 100);
    }
  });
});

describe("the filter `differsFrom` of the flags of an environment", () => {
  it("finds the flags whose strategies differ between two environments", async () => {
    const world = await worldOf(6);
    const { projectId, from, to, flags } = world;
    const { id: segmentId } = (await newSegment(projectId, [])) as { id: number };
    await setStrategy(flags[0].id, { environmentId: from, enabled: true });
    await withRules(flags[1].id, to, segmentId);
    await setStrategy(flags[2].id, { environmentId: from, rules: [{ name: "Same" }] });
    await setStrategy(flags[2].id, { environmentId: to, rules: [{ name: "Same" }] });
    await setStrategy(flags[3].id, { environmentId: from, percentage: 3 });
    await setStrategy(flags[3].id, { environmentId: from, percentage: 100 });
    await setStrategy(flags[4].id, { environmentId: to, segmentIds: [segmentId] });
    const list = async (query: string) => {
      const answer = await asAdmin("GET", `/api/v1/flags/by-environment?${query}`);
      return [answer.body.items?.map(({ key }: Json) => key), answer.body.totalItems];
    };
    const expected = [["flag-0", "flag-1", "flag-4"], 3];
    expect(await list(`environmentId=${from}&differsFrom=${to}`)).toEqual(expected);
    expect(await list(`environmentId=${to}&differsFrom=${from}`)).toEqual(expected);
    expect(await list(`environmentId=${to}&differsFrom=${to}`)).toEqual([[], 0]);
    await copy(world, targets(flags), { withState: true });
    expect(await list(`environmentId=${to}&differsFrom=${from}`)).toEqual([[], 0]);
    const other = await newEnvironment((await newProject()).id);
    const foreign = `environmentId=${to}&differsFrom=${other.id}`;
    expect(outcome(await asAdmin("GET", `/api/v1/flags/by-environment?${foreign}`))).toBe(
      "404 NOT_FOUND",
    );
  });
});
