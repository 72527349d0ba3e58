import { env } from "cloudflare:workers";
import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { runDue } from "../../../src/jobs/schedule/run-due.ts";
import { stopRamps } from "../../../src/jobs/schedule/run-ramp.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { asAdmin, expectRefused, outcome, tally } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { fail, faultyEnvironment, loseAnswer } from "../support/faulty-bindings.ts";
import { growthOf } from "../support/scrape.ts";
import { wholeDatabase } from "../support/records.ts";
import { receiver } from "../support/receiver.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newKey,
  newSubscriber,
  newWorld,
  setStrategy,
} from "../support/world.ts";

const RAMPS = "/api/v1/ramps";
const REASON = { "X-Change-Reason": "More users" };
const step = (exactPercentage: number, holdMinutes: number | null = null) => ({
  exactPercentage,
  holdMinutes,
});
const THREE = [step(1.5, 60), step(25, 60), step(100)];

let developer: { id: number; token: string };
beforeAll(async () => {
  receiver();
  developer = await person("DEVELOPER");
});

type Options = Omit<CallOptions, "token">;
const as =
  (token: string) =>
  (method: string, path: string, body?: object, headers: Options["headers"] = {}) =>
    call(method, path, { token, body, headers });
const asDeveloper: ReturnType<typeof as> = (...args) => as(developer.token)(...args);

/** Creates a project with an environment in which a flag is on for 10 %, with two rules. */
async function world(policy?: object) {
  const { projectId, environmentId, apiKey } = await newWorld();
  const flag = await newFlag(projectId);
  const flagId = flag.id as number;
  const rules = [
    { name: "one", percentage: 5, constraints: [inCountries("at")] },
    { name: "two", percentage: 7, constraints: [inCountries("de")] },
  ];
  const set = await setStrategy(flagId, { environmentId, enabled: true, percentage: 10, rules });
  const protect = (more: object) =>
    asAdmin("PUT", `/api/v1/environments/${environmentId}/protection`, more, REASON);
  if (policy) await protect(policy);
  return {
    projectId,
    environmentId,
    apiKey,
    flagId,
    flagKey: flag.key as string,
    ruleId: set.rules[1].id as string,
    protect,
  };
}
type World = Awaited<ReturnType<typeof world>>;

const starting = ({ flagId, environmentId }: World, more: object = {}) => ({
  flagId,
  environmentId,
  steps: THREE,
  ...more,
});

async function start(at: World, more: object = {}, token = developer.token): Promise<Json> {
  const answer = await as(token)("POST", RAMPS, starting(at, more));
  expect(outcome(answer)).toBe("201");
  return answer.body;
}

const read = async ({ id }: Json): Promise<Json> =>
  (await asDeveloper("GET", `${RAMPS}/${id}`)).body;
const act = ({ id }: Json, verb: string, body?: object) =>
  asDeveloper("POST", `${RAMPS}/${id}/${verb}`, body);
const strategyOf = async ({ flagId, environmentId }: World): Promise<Json> =>
  (await asAdmin("GET", `/api/v1/flags/${flagId}/strategies/${environmentId}`)).body;
const percentageOf = async (at: World) => (await strategyOf(at)).exactPercentage;

const sql = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values);
/** Ends the hold of a ramp. */
const endHold = ({ id }: Json) =>
  sql("UPDATE ramps SET next_at = ? WHERE id = ?", Date.now() - 1, id).run();
const runJob = ({ projectId }: World) => runDue(jobDeps(env), projectId);
async function afterHold(at: World, ramp: Json): Promise<Json> {
  await endHold(ramp);
  await runJob(at);
  return read(ramp);
}

const archive = ({ flagId }: World) => asAdmin("POST", `/api/v1/flags/${flagId}/archive`);
const turnOff = ({ flagId, environmentId }: World) =>
  setStrategy(flagId, { environmentId, enabled: false });

/** Returns the error of a request that must write nothing. */
async function refused(send: () => ReturnType<typeof call<Json>>) {
  const before = await wholeDatabase();
  const answer = await send();
  expect(await wholeDatabase()).toEqual(before);
  return [outcome(answer), answer.body.error];
}

const auditOf = async ({ projectId }: World, size = 10): Promise<Json[]> =>
  (await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=${size}`)).body.items;

describe("a ramp", () => {
  it("executes its first step at once", async () => {
    const at = await world();
    const answer = await asDeveloper("POST", RAMPS, starting(at));
    expect(outcome(answer)).toBe("201");
    expect(answer.headers.get("Location")).toBe(`${RAMPS}/${answer.body.id}`);
    expect(answer.headers.get("X-Revision")).toMatch(/^\d+$/);
    expect(answer.body).toMatchObject({
      flagKey: at.flagKey,
      state: "running",
      step: 0,
      steps: THREE,
      before: { enabled: true, exactPercentage: 10 },
      stopAction: null,
      startedBy: { kind: "user", id: developer.id },
      reason: null,
      endedAt: null,
    });
    expect(answer.body).not.toHaveProperty("stopUrl");
    const { stepAt, nextAt } = answer.body;
    expect(Date.parse(nextAt) - Date.parse(stepAt)).toBe(3_600_000);
    expect(await percentageOf(at)).toBe(1.5);
    expect(await read(answer.body)).toEqual(answer.body);
  });

  it("goes on when its holds are over, and is completed after the last step", async () => {
    const at = await world();
    await newSubscriber(at.projectId);
    const ramp = await start(at);
    await runJob(at);
    expect(await read(ramp)).toMatchObject({ step: 0 });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "running", step: 1 });
    expect(await percentageOf(at)).toBe(25);
    const done = await afterHold(at, ramp);
    expect(done).toMatchObject({ state: "completed", step: 2, nextAt: null, reason: null });
    expect(done.endedAt).toBe(done.updatedAt);
    expect(await percentageOf(at)).toBe(100);
    const ofRamp = { entityType: "ramp", entityId: ramp.id, rampId: ramp.id };
    expect((await auditOf(at, 5)).slice(0, 3)).toMatchObject([
      { action: "ramp.completed", ...ofRamp },
      { action: "ramp.stepped", ...ofRamp, before: { step: 1 }, after: { step: 2 } },
      { action: "strategy.updated", rampId: ramp.id },
    ]);
    expect((await auditOf(at, 1))[0]).toMatchObject({
      actor: { kind: "system" },
      onBehalfOf: expect.stringContaining("developer"),
    });
    const { results } = await sql(
      "SELECT type, data FROM outbox WHERE project_id = ? ORDER BY sequence",
      at.projectId,
    ).all<{ type: string; data: string }>();
    expect(results.map(({ type }) => type)).toEqual([
      "flag.updated",
      "ramp.started",
      "flag.updated",
      "ramp.stepped",
      "flag.updated",
      "ramp.stepped",
      "ramp.completed",
    ]);
    expect(JSON.parse(results[3]?.data ?? "")).toMatchObject({
      ramp: { id: ramp.id, step: 1, steps: 3, state: "running", exactPercentage: 25 },
      flag: { key: at.flagKey },
      environment: { id: at.environmentId },
    });
  });

  it("is woken by the alarm of the project's scheduler", async () => {
    const at = await world();
    const ramp = await start(at);
    await endHold(ramp);
    const scheduler = env.SCHEDULERS.getByName(String(at.projectId));
    await expect.poll(() => runDurableObjectAlarm(scheduler)).toBe(true);
    expect(await read(ramp)).toMatchObject({ step: 1 });
  });

  it("executes a step once if two runs begin at the same time", async () => {
    const at = await world();
    const ramp = await start(at);
    await endHold(ramp);
    await Promise.all([runJob(at), runJob(at), runJob(at)]);
    expect(await read(ramp)).toMatchObject({ step: 1 });
    const actions = (await auditOf(at)).map(({ action }) => action);
    expect(actions.filter((action) => action === "ramp.stepped")).toHaveLength(1);
  });

  it.each([
    ["fails before its commit", fail, 0],
    ["loses the answer of its commit", loseAnswer, 1],
  ])("executes a step once if the database %s", async (_, fault, stepBefore) => {
    const at = await world();
    const ramp = await start(at);
    await endHold(ramp);
    const broken = faultyEnvironment();
    broken.at.BATCHES.fault = fault;
    await expect(runDue(jobDeps(broken.env), at.projectId)).rejects.toThrow("does not respond");
    expect(await read(ramp)).toMatchObject({ step: stepBefore });
    await runJob(at);
    expect(await read(ramp)).toMatchObject({ step: 1 });
    const actions = (await auditOf(at)).map(({ action }) => action);
    expect(actions.filter((action) => action === "ramp.stepped")).toHaveLength(1);
  });

  it("tries a step again if the database fails for a moment, and later the longer it fails", async () => {
    const at = await world();
    const ramp = await start(at);
    const failed = async () => {
      await endHold(ramp);
      const broken = faultyEnvironment();
      broken.at.BATCHES.fault = { mode: "fail", times: 1 };
      return ((await runDue(jobDeps(broken.env), at.projectId)) ?? 0) - Date.now();
    };
    const soon = await failed();
    expect(soon).toBeGreaterThan(3_000);
    expect(soon).toBeLessThanOrEqual(5_000);
    const past = Date.now() - 3_620_000;
    await sql("UPDATE ramps SET step_at = ?1, updated_at = ?1 WHERE id = ?2", past, ramp.id).run();
    expect(await failed()).toBeGreaterThan(18_000);
    expect(await read(ramp)).toMatchObject({ state: "running", step: 0 });
    expect(await afterHold(at, ramp)).toMatchObject({ step: 1 });
  });

  it("is counted by a metric", async () => {
    const at = await world();
    const counted = await growthOf("ramp_steps_total", async () => {
      await start(at, { steps: [step(20)] });
    });
    expect(counted).toEqual({ '{outcome="started"}': 1, '{outcome="completed"}': 1 });
  });

  it("of one rule changes only this rule", async () => {
    const at = await world();
    const { ruleId } = at;
    const before = await strategyOf(at);
    await start(at, { ruleId });
    const { rules, version, updatedAt: _, ...rest } = await strategyOf(at);
    const { rules: rulesBefore, version: __, updatedAt: ___, ...restBefore } = before;
    expect(version).toBe(before.version + 1);
    expect(rest).toEqual(restBefore);
    expect(rules).toEqual([
      rulesBefore[0],
      { ...rulesBefore[1], percentage: 1, exactPercentage: 1.5 },
    ]);
  });

  it("of the strategy turns the flag on, and its abort turns it off again", async () => {
    const at = await world();
    await turnOff(at);
    const ramp = await start(at);
    expect(await strategyOf(at)).toMatchObject({ enabled: true, exactPercentage: 1.5 });
    const aborted = await act(ramp, "abort");
    expect(aborted.body).toMatchObject({ state: "aborted", nextAt: null });
    expect(await strategyOf(at)).toMatchObject({ enabled: false, exactPercentage: 10 });
  });

  it("moves on although a step changes nothing", async () => {
    const at = await world();
    const ramp = await start(at, { steps: [step(10, 1), step(10, 1), step(20)] });
    const { version } = await strategyOf(at);
    expect(await afterHold(at, ramp)).toMatchObject({ state: "running", step: 1 });
    expect((await strategyOf(at)).version).toBe(version);
    expect(await afterHold(at, ramp)).toMatchObject({ state: "completed" });
    expect(await percentageOf(at)).toBe(20);
  });

  it("is completed at once with one step and no hold", async () => {
    const at = await world();
    expect(await start(at, { steps: [step(50)] })).toMatchObject({ state: "completed" });
    expect(await start(at, { steps: [step(60)] })).toMatchObject({ state: "completed" });
  });

  it("waits with fewer evaluations than it needs", async () => {
    const at = await world();
    const report = (evaluations: object) =>
      call("POST", "/api/client/metrics", { token: at.apiKey, body: { evaluations } });
    await report({ [at.flagKey]: { t: 5, f: 5 } });
    const counted = async () => {
      const { body } = await asAdmin(
        "GET",
        `/api/v1/flags/${at.flagId}/metrics?environmentId=${at.environmentId}`,
      );
      return body.totals.t + body.totals.f;
    };
    await expect.poll(counted).toBe(10);
    const ramp = await start(at, { minEvaluations: 4 });
    await report({ [at.flagKey]: { t: 2, f: 1 } });
    await expect.poll(counted).toBe(13);
    const early = await afterHold(at, ramp);
    expect(early).toMatchObject({ state: "running", step: 0 });
    expect(Date.parse(early.nextAt)).toBeGreaterThan(Date.now() + 50_000);
    await report({ [at.flagKey]: { t: 0, f: 1 } });
    await expect.poll(counted).toBe(14);
    expect(await afterHold(at, ramp)).toMatchObject({ step: 1 });
  });
});

describe("the start of a ramp", () => {
  it.each([
    ["no steps", { steps: [] }, "steps"],
    ["21 steps", { steps: Array.from({ length: 21 }, () => step(1)) }, "steps"],
    ["a percentage above 100", { steps: [step(100.5)] }, "steps.0.exactPercentage"],
    ["four decimals", { steps: [step(1.0001)] }, "steps.0.exactPercentage"],
    ["a hold of 0 minutes", { steps: [step(1, 0)] }, "steps.0.holdMinutes"],
    ["a hold above 90 days", { steps: [step(1, 129_601)] }, "steps.0.holdMinutes"],
    ["minEvaluations 0", { minEvaluations: 0 }, "minEvaluations"],
    ["an unknown stop action", { stop: { action: "delete" } }, "stop.action"],
  ])("returns 400 for %s", async (_, more, field) => {
    const body = { flagId: 1, environmentId: 1, steps: THREE, ...more };
    const answer = await asDeveloper("POST", RAMPS, body);
    expect(answer.body.details.map((one: Json) => one.field)).toEqual([field]);
  });

  it("returns 404 for an unknown flag, environment or rule", async () => {
    const at = await world();
    const other = await world();
    const unknown = [
      { flagId: 999_999_999 },
      { environmentId: other.environmentId },
      { ruleId: "unknown" },
    ];
    for (const more of unknown)
      expect(outcome(await asDeveloper("POST", RAMPS, starting(at, more)))).toBe("404 NOT_FOUND");
  });

  it.each<[string, (at: World) => Promise<unknown>, string]>([
    ["the strategy has an active ramp", (at) => start(at), "active ramp"],
    ["the flag is archived", archive, "unarchive"],
    ["the ramp is of a rule and the flag is off", turnOff, "turn it on"],
  ])("returns 409 and writes nothing if %s", async (_, prepare, words) => {
    const at = await world();
    await prepare(at);
    const send = () => asDeveloper("POST", RAMPS, starting(at, { ruleId: at.ruleId }));
    expect(await refused(send)).toEqual(["409 CONFLICT", expect.stringContaining(words)]);
  });

  it("succeeds once for ten simultaneous requests", async () => {
    const at = await world();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => asDeveloper("POST", RAMPS, starting(at))),
    );
    expect(tally(answers)).toEqual({ 201: 1, "409 CONFLICT": 9 });
  });

  it("returns 402 if the project has 100 active ramps", async () => {
    const at = await world();
    await start(at);
    const { id: flagId } = (await newFlag(at.projectId)) as { id: number };
    await sql(
      `INSERT INTO environments (project_id, name, changed_at, created_at, updated_at)
        SELECT ?, 'environment ' || key, 0, 0, 0 FROM json_each(?)`,
      at.projectId,
      JSON.stringify(Array.from({ length: 99 })),
    ).run();
    await sql(
      `INSERT INTO ramps (project_id, flag_id, environment_id, steps, state, before, strategy_version,
          step_at, starter_kind, starter_name, created_at, updated_at)
        SELECT project_id, ?, id, '[]', 'waiting', '{}', 0, 0, 'user', '', 0, 0
        FROM environments WHERE project_id = ? AND id <> ?`,
      flagId,
      at.projectId,
      at.environmentId,
    ).run();
    const send = () => asDeveloper("POST", RAMPS, starting({ ...at, flagId }));
    expect(await refused(send)).toEqual([
      "402 QUOTA_EXCEEDED",
      expect.stringContaining("100 active ramps"),
    ]);
  });

  it("is allowed to an API key only in its environment and only if it may write", async () => {
    const at = await world();
    const other = await newEnvironment(at.projectId);
    const body = starting(at);
    const foreign = await newKey(other.id);
    const reader = await newKey(at.environmentId, "SERVER", { canWrite: false });
    for (const { apiKey } of [foreign, reader])
      expect(outcome(await as(apiKey)("POST", RAMPS, body))).toBe("403 FORBIDDEN");
    const ramp = await start(at, {}, at.apiKey);
    expect(ramp).toMatchObject({ startedBy: { kind: "key" } });
    expect(await afterHold(at, ramp)).toMatchObject({ step: 1 });
    const path = `${RAMPS}/${ramp.id}`;
    expect(outcome(await as(foreign.apiKey)("POST", `${path}/pause`))).toBe("403 FORBIDDEN");
    expect(outcome(await as(reader.apiKey)("GET", path))).toBe("200");
  });
});

describe("a ramp that a person moves", () => {
  it("keeps the rest of its hold while it is paused", async () => {
    const at = await world();
    const ramp = await start(at);
    const paused = (await act(ramp, "pause")).body;
    expect(paused).toMatchObject({ state: "paused", nextAt: null });
    expect(paused.remainingMs).toBeGreaterThan(3_500_000);
    await runJob(at);
    expect(await read(ramp)).toMatchObject({ step: 0, state: "paused" });
    await sql("UPDATE ramps SET remaining_ms = 5000 WHERE id = ?", ramp.id).run();
    const resumed = (await act(ramp, "resume")).body;
    expect(resumed).toMatchObject({ state: "running", remainingMs: null });
    expect(Date.parse(resumed.nextAt) - Date.parse(resumed.updatedAt)).toBe(5000);
  });

  it("waits for the person without a hold, and is advanced", async () => {
    const at = await world();
    const ramp = await start(at, { steps: [step(20), step(40, 5)] });
    expect(ramp).toMatchObject({ state: "waiting", nextAt: null });
    await act(ramp, "pause");
    expect((await act(ramp, "resume")).body).toMatchObject({ state: "waiting" });
    expect((await act(ramp, "advance")).body).toMatchObject({ state: "running", step: 1 });
    expect(await percentageOf(at)).toBe(40);
    expect((await act(ramp, "advance")).body).toMatchObject({ state: "completed", step: 1 });
  });

  it("returns 409 in a state in which the action is not possible", async () => {
    const at = await world();
    const ramp = await start(at);
    const isRefused = async (verb: string, state: string) =>
      expect(await refused(() => act(ramp, verb, { action: "pause" }))).toEqual([
        "409 CONFLICT",
        expect.stringContaining(state),
      ]);
    await isRefused("resume", "running");
    await act(ramp, "pause");
    await isRefused("advance", "paused");
    await act(ramp, "abort");
    for (const verb of ["pause", "resume", "advance", "abort", "stop-url"])
      await isRefused(verb, "aborted");
    expect(await percentageOf(at)).toBe(10);
  });
});

describe("a ramp whose strategy somebody else changes", () => {
  it("is shown as stopped at once, and the service writes that down", async () => {
    const at = await world();
    const ramp = await start(at);
    await setStrategy(at.flagId, { environmentId: at.environmentId, percentage: 77 });
    const list = async (state: string) =>
      (await asDeveloper("GET", `${RAMPS}?flagId=${at.flagId}&state=${state}`)).body.totalItems;
    const stopped = { state: "stopped", reason: "The strategy was changed", nextAt: null };
    expect(await read(ramp)).toMatchObject({ ...stopped, endedAt: null });
    expect([await list("stopped"), await list("active"), await list("running")]).toEqual([1, 0, 0]);
    await stopRamps(jobDeps(env));
    expect(await read(ramp)).toMatchObject({ ...stopped, endedAt: expect.any(String) });
    expect((await auditOf(at, 1))[0]).toMatchObject({ action: "ramp.stopped", rampId: ramp.id });
    expect(await list("stopped")).toBe(1);
    expect(await percentageOf(at)).toBe(77);
  });

  it("stops at the end of its hold, and the strategy keeps what it has", async () => {
    const at = await world();
    const ramp = await start(at);
    await setStrategy(at.flagId, { environmentId: at.environmentId, percentage: 77 });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "stopped", step: 0 });
    expect(await percentageOf(at)).toBe(77);
  });

  it("stops when somebody turns the flag off", async () => {
    const at = await world();
    const ramp = await start(at);
    await turnOff(at);
    expect(await read(ramp)).toMatchObject({ state: "stopped" });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "stopped" });
    expect(await strategyOf(at)).toMatchObject({ enabled: false });
  });

  it.each(["pause", "advance", "abort"])("returns 409 for %s, and is stopped", async (verb) => {
    const at = await world();
    const ramp = await start(at);
    await setStrategy(at.flagId, { environmentId: at.environmentId, percentage: 77 });
    expect(outcome(await act(ramp, verb))).toBe("409 CONFLICT");
    expect(await read(ramp)).toMatchObject({ state: "stopped", endedAt: expect.any(String) });
    expect(await percentageOf(at)).toBe(77);
  });

  it("makes room for a new ramp", async () => {
    const at = await world();
    const ramp = await start(at);
    await setStrategy(at.flagId, { environmentId: at.environmentId, percentage: 77 });
    const next = await start(at);
    expect(next.before).toEqual({ enabled: true, exactPercentage: 77 });
    expect(await read(ramp)).toMatchObject({ state: "stopped", endedAt: expect.any(String) });
    const actions = (await auditOf(at, 3)).map(({ action }) => action);
    expect(actions).toEqual(["ramp.started", "strategy.updated", "ramp.stopped"]);
  });

  it("stops when the flag is archived", async () => {
    const at = await world();
    const ramp = await start(at);
    await archive(at);
    const stopped = { state: "stopped", reason: "The flag was archived" };
    expect(await read(ramp)).toMatchObject(stopped);
    expect(await afterHold(at, ramp)).toMatchObject(stopped);
  });

  it("ends with the environment", async () => {
    const at = await world();
    const { id: environmentId } = (await newEnvironment(at.projectId)) as { id: number };
    const ramp = await start({ ...at, environmentId });
    await endHold(ramp);
    expect(outcome(await asAdmin("DELETE", `/api/v1/environments/${environmentId}`))).toBe("204");
    expect(outcome(await asDeveloper("GET", `${RAMPS}/${ramp.id}`))).toBe("404 NOT_FOUND");
    expect(await runJob(at)).toBeUndefined();
  });
});

describe("a ramp whose starter", () => {
  const roleTo = (id: number, role: string) =>
    sql("UPDATE users SET role = ? WHERE id = ?", role, id).run();

  it("may not write any more stops", async () => {
    const at = await world();
    const starter = await person("DEVELOPER");
    const ramp = await start(at, {}, starter.token);
    await roleTo(starter.id, "VIEWER");
    const stopped = await afterHold(at, ramp);
    expect(stopped).toMatchObject({ state: "stopped", step: 0 });
    expect(stopped.reason).toContain("may not write");
    expect(await percentageOf(at)).toBe(1.5);
  });

  it("may not see the project any more stops", async () => {
    const at = await world();
    const starter = await person("DEVELOPER");
    const ramp = await start(at, {}, starter.token);
    await asAdmin("PUT", `/api/v1/projects/${at.projectId}`, { visibility: "members" });
    await endHold(ramp);
    await runJob(at);
    const { body } = await asAdmin("GET", `${RAMPS}/${ramp.id}`);
    expect(body).toMatchObject({ state: "stopped", step: 0 });
  });

  it("is deleted stops", async () => {
    const at = await world();
    const starter = await person("DEVELOPER");
    const ramp = await start(at, {}, starter.token);
    await asAdmin("DELETE", `/api/v1/users/${starter.id}`);
    expect(await afterHold(at, ramp)).toMatchObject({ state: "stopped", step: 0 });
  });

  it("is not listed as a writer any more stops", async () => {
    const at = await world();
    const ramp = await start(at);
    await at.protect({ memberAccess: "list" });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "stopped", step: 0 });
  });
});

describe("in a protected environment", () => {
  const REQUESTS = "/api/v1/change-requests";
  const decide = (token: string, verb: string, { id, hash }: Json, body: object = {}) =>
    as(token)("POST", `${REQUESTS}/${id}/${verb}`, body, { "If-Match": `"${hash}"` });

  /** Starts a ramp by a change request that somebody else has approved. */
  async function approved(at: World, steps: readonly object[] = THREE) {
    const operations = [
      {
        kind: "ramp.start",
        target: { flagId: at.flagId, environmentId: at.environmentId },
        input: { steps },
      },
    ];
    const body = { projectId: at.projectId, title: "Ramp up", operations };
    const { body: request } = await asDeveloper("POST", REQUESTS, body);
    const { token } = await person("DEVELOPER");
    await decide(token, "reviews", request, { verdict: "approve" });
    expect(outcome(await decide(developer.token, "apply", request))).toBe("200");
    const list = await asDeveloper("GET", `${RAMPS}?flagId=${at.flagId}&state=active`);
    return { request, ramp: list.body.items[0] };
  }

  it("a direct start returns 409, and can be proposed", async () => {
    const at = await world({ requiredApprovals: 1 });
    const direct = () => asDeveloper("POST", RAMPS, starting(at));
    await expectRefused(direct, "409 APPROVAL_REQUIRED", "approval");
    const propose = (more: object) =>
      asDeveloper("POST", `${RAMPS}?propose=true`, starting(at, more), REASON);
    const { body } = await propose({ stop: { action: "pause" } });
    expect(body.details).toMatchObject([{ field: "stop" }]);
    const proposed = await propose({});
    expect(proposed.status).toBe(202);
    expect(proposed.body.operations).toMatchObject([
      {
        kind: "ramp.start",
        base: { percentage: 10, ramp: null },
        current: { percentage: 10, ramp: null },
        after: { percentage: 1, exactPercentage: 1.5, ramp: { steps: THREE } },
      },
    ]);
    expect(await percentageOf(at)).toBe(10);
  });

  it("an approved request starts the ramp, and covers its steps", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { request, ramp } = await approved(at);
    expect(ramp).toMatchObject({ state: "running", step: 0, changeRequestId: request.id });
    const records = await auditOf(at, 3);
    expect(records).toMatchObject([
      { action: "change-request.applied" },
      { action: "ramp.started", changeRequestId: request.id, rampId: ramp.id },
      { action: "strategy.updated", changeRequestId: request.id, rampId: ramp.id },
    ]);
    expect(await afterHold(at, ramp)).toMatchObject({ state: "running", step: 1 });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "completed", step: 2 });
  });

  it("an administrator bypasses the approval of all steps", async () => {
    const at = await world({ requiredApprovals: 1 });
    const bypass = { ...REASON, "X-Approval-Bypass": "true" };
    const started = await asAdmin("POST", RAMPS, starting(at), bypass);
    expect(started.status).toBe(201);
    expect(await afterHold(at, started.body)).toMatchObject({ state: "running", step: 1 });
  });

  it("a request may have ten ramps that count evaluations", async () => {
    const operations = Array.from({ length: 11 }, (_, n) => ({
      kind: "ramp.start",
      target: { flagId: n + 1, environmentId: 1 },
      input: { steps: THREE, minEvaluations: 1 },
    }));
    const body = { projectId: 1, title: "Many", operations };
    const { body: answer } = await asDeveloper("POST", REQUESTS, body);
    expect(answer.details).toMatchObject([{ field: "operations" }]);
  });

  it("other steps make another hash", async () => {
    const at = await world({ requiredApprovals: 1 });
    const propose = async (steps: object[]) =>
      (await asDeveloper("POST", `${RAMPS}?propose=true`, starting(at, { steps }), REASON)).body
        .hash;
    expect(await propose([step(1.5, 60), step(25)])).not.toBe(
      await propose([step(1.5, 60), step(26)]),
    );
  });

  it("a request is refused with a ramp and a change of the same strategy", async () => {
    const at = await world();
    const target = { flagId: at.flagId, environmentId: at.environmentId };
    const operations = [
      { kind: "strategy.set", target, input: { percentage: 3 } },
      { kind: "ramp.start", target, input: { steps: THREE } },
    ];
    const body = { projectId: at.projectId, title: "Two", operations };
    const { body: answer } = await asDeveloper("POST", REQUESTS, body);
    expect(answer.details).toMatchObject([{ field: "operations.1.target" }]);
  });

  it("a request whose strategy was changed is outdated, and is rebased", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { body } = await asDeveloper(
      "POST",
      `${RAMPS}?propose=true`,
      starting(at, { minEvaluations: 5 }),
      REASON,
    );
    const bypass = { ...REASON, "X-Approval-Bypass": "true" };
    const change = { environmentId: at.environmentId, percentage: 30 };
    await asAdmin("PUT", `/api/v1/flags/${at.flagId}/strategies`, change, bypass);
    const rebased = await decide(developer.token, "rebase", body, {});
    expect(rebased.body.operations).toMatchObject([
      {
        base: { percentage: 30 },
        after: { percentage: 1, ramp: { steps: THREE, minEvaluations: 5 } },
      },
    ]);
  });

  it("a ramp stops if the environment requires more approvals than its start", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { ramp } = await approved(at);
    await at.protect({ requiredApprovals: 2 });
    const stopped = await afterHold(at, ramp);
    expect(stopped).toMatchObject({ state: "stopped", step: 0 });
    expect(stopped.reason).toContain("approval");
    expect(await percentageOf(at)).toBe(1.5);
  });

  it("a ramp that was started without approvals stops", async () => {
    const at = await world();
    const ramp = await start(at);
    await at.protect({ requiredApprovals: 1 });
    expect(await afterHold(at, ramp)).toMatchObject({ state: "stopped", step: 0 });
  });

  it("a person may end a wait, but not a hold that was approved", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { ramp } = await approved(at, [step(20), step(40, 60), step(100)]);
    expect((await act(ramp, "advance")).body).toMatchObject({ state: "running", step: 1 });
    await expectRefused(() => act(ramp, "advance"), "409 CONFLICT", "hold");
  });

  it("an abort needs no approval, even if the environment requires more than before", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { ramp } = await approved(at);
    await at.protect({ requiredApprovals: 2 });
    expect((await act(ramp, "abort")).body).toMatchObject({ state: "aborted" });
    expect(await percentageOf(at)).toBe(10);
  });

  it("a stop URL is made after the start", async () => {
    const at = await world({ requiredApprovals: 1 });
    const { ramp } = await approved(at);
    const made = await act(ramp, "stop-url", { action: "abort" });
    expect(outcome(made)).toBe("201");
    await at.protect({ requiredApprovals: 2, memberAccess: "list" });
    await post(made.body.stopUrl);
    expect(await read(ramp)).toMatchObject({ state: "aborted", stopAction: "abort" });
    expect(await percentageOf(at)).toBe(10);
  });
});

/** Calls a stop URL without credentials. */
async function post(url: string) {
  const { status, body } = await call("POST", new URL(url).pathname, { body: { alerts: [] } });
  expect([status, body]).toEqual([202, ""]);
  return status;
}

describe("a stop URL", () => {
  it("pauses the ramp, and does nothing while it is paused", async () => {
    const at = await world();
    const ramp = await start(at, { stop: { action: "pause" } });
    expect(ramp.stopUrl).toMatch(/\/api\/v1\/ramp-stops\/[\w-]{43}$/);
    await post(ramp.stopUrl);
    const paused = await read(ramp);
    expect(paused).toMatchObject({ state: "paused", reason: "The stop URL was called" });
    expect(paused).not.toHaveProperty("stopUrl");
    await post(ramp.stopUrl);
    expect(await read(ramp)).toEqual(paused);
    expect((await auditOf(at, 1))[0]).toMatchObject({
      action: "ramp.paused",
      actor: { kind: "system", name: "stop URL" },
    });
  });

  it("aborts the ramp once", async () => {
    const at = await world();
    const ramp = await start(at, { stop: { action: "abort" } });
    await post(ramp.stopUrl);
    expect(await percentageOf(at)).toBe(10);
    await setStrategy(at.flagId, { environmentId: at.environmentId, percentage: 50 });
    await post(ramp.stopUrl);
    expect(await percentageOf(at)).toBe(50);
  });

  it("is replaced by a new one", async () => {
    const at = await world();
    const ramp = await start(at, { stop: { action: "abort" } });
    const { body } = await act(ramp, "stop-url", { action: "pause" });
    await post(ramp.stopUrl);
    expect(await read(ramp)).toMatchObject({ state: "running" });
    await post(body.stopUrl);
    expect(await read(ramp)).toMatchObject({ state: "paused" });
  });

  it("returns 202 for an unknown token", async () => {
    expect(await post("https://flags.example.com/api/v1/ramp-stops/x")).toBe(202);
  });

  it("is stored only as a hash, also in the audit trail", async () => {
    const at = await world();
    const ramp = await start(at, { stop: { action: "abort" } });
    const token = ramp.stopUrl.split("/").at(-1);
    for (const table of ["ramps", "audit", "outbox"]) {
      const { results } = await sql(`SELECT * FROM ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(token);
    }
  });
});

describe("the list of ramps", () => {
  it("has the ramps of a project or a flag, the newest first, in pages", async () => {
    const at = await world();
    const second = { ...at, flagId: (await newFlag(at.projectId)).id as number };
    const ramps = [await start(at), await start(second)];
    await act(ramps[0] ?? {}, "abort");
    const ids = async (query: string) =>
      (await asDeveloper("GET", `${RAMPS}?${query}`)).body.items.map(({ id }: Json) => id);
    const project = `projectId=${at.projectId}`;
    expect(await ids(project)).toEqual([ramps[1]?.id, ramps[0]?.id]);
    expect(await ids(`${project}&size=1&page=1`)).toEqual([ramps[0]?.id]);
    expect(await ids(`${project}&state=active`)).toEqual([ramps[1]?.id]);
    expect(await ids(`${project}&state=aborted`)).toEqual([ramps[0]?.id]);
    expect(await ids(`flagId=${at.flagId}`)).toEqual([ramps[0]?.id]);
    const { apiKey } = await newWorld();
    expect(outcome(await as(apiKey)("GET", `${RAMPS}?${project}`))).toBe("403 FORBIDDEN");
    const { body } = await as(at.apiKey)("GET", `${RAMPS}/${ramps[1]?.id}`);
    expect(body.startedBy).toEqual({ kind: "user", id: developer.id, name: null });
  });
});
