import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import afterRestore from "../../../scripts/after-restore-plans.sql?raw";
import { closeIdle } from "../../../src/jobs/close-idle-requests.ts";
import { runDue, runLate } from "../../../src/jobs/schedule/run-due.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { wrappedDatabase } from "../support/call-with.ts";
import {
  act,
  approve,
  as,
  type As,
  newScene,
  opened,
  percentageOf,
  REASON,
  REQUESTS,
} from "../support/change-requests.ts";
import type { Json } from "../support/client.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, expectRefused, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken, person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import {
  inCountries,
  newFlag,
  newKey,
  newSegment,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const iso = (ms: number) => new Date(ms).toISOString();

let author: { id: number; token: string; email: string };
let asAuthor: As;
let asApprover: As;
beforeAll(async () => {
  author = await emailed();
  [asAuthor, asApprover] = [as(author.token), as((await person("DEVELOPER")).token)];
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a developer with a known e-mail address. */
async function emailed() {
  const user = await person("DEVELOPER");
  const [{ email }] = (await rows("SELECT email FROM users WHERE id = ?", user.id)) as [Json];
  return { ...user, email: email as string };
}

/** Sets the clock of the service. Requests of users need a time at which their tokens are valid. */
const setClock = (now: number) => vi.useFakeTimers({ toFake: ["Date"], now });

type Scene = Awaited<ReturnType<typeof newScene>>;

/** Opens a request for half of the users, which the service applies in three minutes. */
const schedule = ({ projectId, set }: Scene, more: object = {}, by = asAuthor) =>
  opened(by, projectId, {
    operations: [set({ percentage: 50 })],
    applyAt: iso(Date.now() + 3 * MINUTE),
    ...more,
  });

/** Runs what is due in a project three minutes after now, or later. Returns the mails. */
async function runLater(projectId: number, ms = 3 * MINUTE, more: Partial<Env> = {}) {
  const mailbox = new Mailbox();
  setClock(Date.now() + ms);
  await runDue(jobDeps({ ...env, MAIL: mailbox.binding, ...more }), projectId);
  return mailbox.mails;
}

const read = async ({ id }: Json): Promise<Json> =>
  (await asAdmin("GET", `${REQUESTS}/${id}`)).body;
const edit = (request: Json, change: object, by = asAuthor) =>
  by("PUT", `${REQUESTS}/${request["id"]}`, change, { "If-Match": `"${request["hash"]}"` });
const rowOf = async ({ id }: Json): Promise<Json> =>
  (await rows("SELECT * FROM change_requests WHERE id = ?", id))[0];
const actionsOf = async (request: Json): Promise<string[]> =>
  (
    await rows(
      "SELECT action FROM audit WHERE entity_type = 'change-request' AND entity_id = ? ORDER BY id",
      request["id"],
    )
  ).map(({ action }) => action.replace("change-request.", ""));
const eventsOf = async (projectId: number): Promise<string[]> =>
  (await rows("SELECT type FROM outbox WHERE project_id = ? ORDER BY sequence", projectId)).map(
    ({ type }) => type,
  );

describe("a scheduled change request", () => {
  it("is applied by the service at its time, on behalf of who has scheduled it, and once", async () => {
    const scene = await newScene();
    const { projectId, environmentId, flagId } = scene;
    await newSubscriber(projectId);
    const request = await schedule(scene, { timeZone: "Europe/Berlin" });
    const applyAt = Date.parse(request.applyAt);
    expect(request).toMatchObject({
      status: "needs-approval",
      latestAt: iso(applyAt + HOUR),
      timeZone: "Europe/Berlin",
      blockedBy: null,
    });
    expect((await approve(asApprover, request)).body.status).toBe("scheduled");
    await runLater(projectId, applyAt - 1_000 - Date.now());
    expect(await percentageOf(flagId, environmentId)).toBe(25);
    await runLater(projectId, 1_000);
    await runLater(projectId, 1);
    expect(await percentageOf(flagId, environmentId)).toBe(50);
    expect(await read(request)).toMatchObject({ state: "applied", closedBy: "service" });
    expect(await actionsOf(request)).toEqual(["opened", "reviewed", "applied"]);
    const { body } = await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=2`);
    expect(body.items).toMatchObject(
      ["change-request.applied", "strategy.updated"].map((action) => ({
        action,
        actor: { kind: "system", name: "service" },
        onBehalfOf: author.email,
        reason: "More",
      })),
    );
    expect(await eventsOf(projectId)).toEqual([
      "change-request.opened",
      "change-request.reviewed",
      "flag.updated",
      "change-request.applied",
    ]);
  });

  it("of an environment without protection needs no approval", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    expect(request.status).toBe("scheduled");
    await runLater(scene.projectId);
    expect(await read(request)).toMatchObject({ state: "applied" });
  });

  it("of a service account is applied on its behalf, as long as the account exists", async () => {
    for (const isDeleted of [false, true]) {
      const scene = await newScene({});
      const { projectId, environmentId, flagId } = scene;
      const serviceAccountId = await newServiceAccount("DEVELOPER", projectId);
      const { token } = await newToken({ serviceAccountId, scopes: ["write"] });
      const request = await schedule(scene, {}, as(token));
      if (isDeleted) await asAdmin("DELETE", `/api/v1/service-accounts/${serviceAccountId}`);
      await runLater(projectId);
      expect(await percentageOf(flagId, environmentId)).toBe(isDeleted ? 25 : 50);
      const { state, blockedBy } = await read(request);
      expect([state, blockedBy !== null]).toEqual(isDeleted ? ["open", true] : ["applied", false]);
    }
  });

  it("is applied by hand only in its time", async () => {
    const scene = await newScene({});
    const request = await schedule(scene, { latestAt: iso(Date.now() + 5 * MINUTE) });
    const { applyAt } = request;
    await expectRefused(() => act(asAuthor, "apply", request), "409 CONFLICT", applyAt);
    setClock(Date.parse(request.latestAt) + 1);
    await expectRefused(() => act(asAuthor, "apply", request), "409 CONFLICT", "new approvals");
    setClock(Date.parse(applyAt));
    expect(outcome(await act(asAuthor, "apply", request))).toBe("200");
    await runLater(scene.projectId);
    expect(await actionsOf(request)).toEqual(["opened", "applied"]);
  });

  it("needs new approvals for another time, and none for another time zone", async () => {
    const scene = await newScene();
    const request = await schedule(scene);
    await approve(asApprover, request);
    const zoned = (await edit(request, { timeZone: "America/New_York" })).body;
    expect(zoned).toMatchObject({ status: "scheduled", hash: request.hash });
    const moved = (await edit(zoned, { applyAt: iso(Date.now() + DAY) })).body;
    expect(moved).toMatchObject({ status: "needs-approval", timeZone: "America/New_York" });
    const longer = (await edit(moved, { latestAt: iso(Date.now() + 2 * DAY) })).body;
    expect(new Set([request.hash, moved.hash, longer.hash]).size).toBe(3);
    await runLater(scene.projectId);
    expect(await percentageOf(scene.flagId, scene.environmentId)).toBe(25);
  });

  it("is not scheduled any more after applyAt: null", async () => {
    const scene = await newScene({});
    const request = await schedule(scene, { timeZone: "UTC" });
    const { body } = await edit(request, { applyAt: null });
    const none = { applyAt: null, latestAt: null, timeZone: null };
    expect(body).toMatchObject({ ...none, status: "approved" });
    await runLater(scene.projectId);
    expect(await percentageOf(scene.flagId, scene.environmentId)).toBe(25);
    expect(await rowOf(request)).toMatchObject({ next_at: null, scheduler_id: null });
  });

  it("does not become current by another time", async () => {
    const scene = await newScene({});
    const { flagId, environmentId } = scene;
    const request = await schedule(scene);
    await setStrategy(flagId, { environmentId, percentage: 30 });
    expect(outcome(await edit(request, { applyAt: iso(Date.now() + HOUR) }))).toBe("409 OUTDATED");
    const rebased = await act(asAuthor, "rebase", request, {
      choices: [{ operation: 0, field: "percentage", take: "request" }],
    });
    expect(rebased.body).toMatchObject({ status: "scheduled", applyAt: request.applyAt });
  });

  it("is in the name of who has changed it last", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    const other = await emailed();
    await edit(request, { operations: [scene.set({ percentage: 60 })] }, as(other.token));
    await runLater(scene.projectId);
    const [{ onBehalfOf }] = (
      await asAdmin("GET", `/api/v1/audit?projectId=${scene.projectId}&size=1`)
    ).body.items;
    expect(onBehalfOf).toBe(other.email);
  });

  it("is not closed as idle before its time", async () => {
    const scene = await newScene({});
    const request = await schedule(scene, { applyAt: iso(Date.now() + 40 * DAY) });
    await env.DB.prepare("UPDATE change_requests SET updated_at = ? WHERE id = ?")
      .bind(Date.now() - 31 * DAY, request["id"])
      .run();
    await closeIdle(jobDeps(env));
    expect(await read(request)).toMatchObject({ state: "open" });
  });

  it.each([
    [{ applyAt: "2026-01-02T03:04:05" }, "applyAt"],
    [{ applyAt: "tomorrow" }, "applyAt"],
    [{ applyAt: "2020-01-02T03:04:05Z" }, "applyAt"],
    [{ applyAt: iso(Date.now() + 367 * DAY) }, "applyAt"],
    [{ latestAt: iso(Date.now()) }, "latestAt"],
    [{ latestAt: iso(Date.now() + 31 * DAY) }, "latestAt"],
    [{ timeZone: "Europe/Atlantis" }, "timeZone"],
    [{ timeZone: "+01:00" }, "timeZone"],
    [{ applyAt: null, timeZone: "UTC" }, "timeZone"],
  ])("is refused with %o", async (wrong, field) => {
    const { projectId, set } = await newScene({});
    const body = { projectId, title: "More", operations: [set({ percentage: 50 })] };
    const planned = { applyAt: iso(Date.now() + MINUTE), ...wrong };
    const answer = await asAuthor("POST", REQUESTS, { ...body, ...planned });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    expect(answer.body.details).toMatchObject([{ field }]);
  });
});

describe("hard cases of schedules:", () => {
  it("of two at once for the same flag, the second is outdated, mailed and announced once", async () => {
    const scene = await newScene({});
    const { projectId, environmentId, flagId, set } = scene;
    await newSubscriber(projectId);
    const applyAt = iso(Date.now() + 3 * MINUTE);
    const first = await schedule(scene, { applyAt });
    const second = await schedule(scene, { applyAt, operations: [set({ percentage: 75 })] });
    const mails = await runLater(projectId);
    await runLater(projectId, HOUR);
    setClock(Date.now() - HOUR);
    expect(await read(first)).toMatchObject({ state: "applied" });
    expect(await read(second)).toMatchObject({ state: "open", status: "outdated" });
    expect(await percentageOf(flagId, environmentId)).toBe(50);
    expect(await actionsOf(second)).toEqual(["opened", "outdated"]);
    expect((await eventsOf(projectId)).filter((type) => type.endsWith("outdated"))).toHaveLength(1);
    expect(mails).toMatchObject([
      { to: author.email, subject: "Scheduled change request outdated: More" },
    ]);
    const choices = [{ operation: 0, field: "percentage", take: "request" }];
    const rebased = (await act(asAuthor, "rebase", second, { choices })).body;
    expect(rebased).toMatchObject({ status: "scheduled", blockedBy: null });
    await runLater(projectId, 0);
    expect(await percentageOf(flagId, environmentId)).toBe(75);
  });

  it("of two at once for the same flag, the second is applied after the first if it depends on it", async () => {
    const scene = await newScene();
    const { projectId, environmentId, flagId, set } = scene;
    const applyAt = iso(Date.now() + 3 * MINUTE);
    const segment = await newSegment(projectId, [inCountries("de")]);
    const wider = { constraints: [inCountries("de", "fr")] };
    const first = await schedule(scene, {
      applyAt,
      operations: [
        set({ percentage: 50, segmentIds: [segment.id] }),
        { kind: "segment.update", target: { id: segment.id }, input: wider },
        { kind: "flag.update", target: { flagId }, input: { offVariant: "on" } },
      ],
    });
    const second = await schedule(scene, {
      applyAt,
      dependsOn: first.id,
      operations: [set({ percentage: 75 })],
    });
    expect(second).toMatchObject({ dependsOn: first.id, status: "needs-approval" });
    expect(second.operations).toMatchObject([
      { base: { percentage: 50 }, after: { percentage: 75 } },
    ]);
    for (const request of [first, second])
      expect((await approve(asApprover, request)).body.status).toBe("scheduled");
    await runLater(projectId);
    expect([await read(first), await read(second)]).toMatchObject([
      { state: "applied" },
      { state: "applied" },
    ]);
    expect(await percentageOf(flagId, environmentId)).toBe(75);
  });

  it("a request that depends on another one waits for it, and is outdated if it is closed or changed", async () => {
    const scene = await newScene({});
    const { environmentId, flagId, set } = scene;
    const plan = (more: object) =>
      schedule(scene, {
        applyAt: iso(Date.now() + 3 * MINUTE),
        latestAt: iso(Date.now() + DAY),
        ...more,
      });
    const [closed, changed] = [await plan({}), await plan({})];
    const of = (request: Json, percentage: number) =>
      plan({ dependsOn: request["id"], operations: [set({ percentage })] });
    const [onClosed, onChanged] = [await of(closed, 60), await of(changed, 70)];
    setClock(Date.now() + 4 * MINUTE);
    await expectRefused(
      () => act(asAuthor, "apply", onClosed),
      "409 CONFLICT",
      "is not applied yet",
    );
    await act(asAuthor, "close", closed);
    await edit(changed, { operations: [set({ percentage: 40 })] });
    expect([await read(onClosed), await read(onChanged)]).toMatchObject([
      { status: "outdated" },
      { status: "outdated" },
    ]);
    expect(await percentageOf(flagId, environmentId)).toBe(25);
    const choices = [{ operation: 0, field: "percentage", take: "request" }];
    const rebased = await act(asAuthor, "rebase", onChanged, { choices });
    expect(rebased.body.operations).toMatchObject([{ base: { percentage: 40 } }]);
  });

  it("a request can only depend on an open, scheduled and earlier one of its project", async () => {
    const [scene, other] = [await newScene({}), await newScene({})];
    const { projectId, set } = scene;
    const applyAt = iso(Date.now() + DAY);
    const late = await schedule(scene, { applyAt: iso(Date.now() + 2 * DAY) });
    const unscheduled = await opened(asAuthor, projectId, { operations: [set({ percentage: 1 })] });
    const elsewhere = await schedule(other);
    const operations = [set({ percentage: 60 })];
    const body = { projectId, title: "More", operations };
    for (const more of [
      { applyAt, dependsOn: late.id },
      { applyAt, dependsOn: unscheduled.id },
      { applyAt, dependsOn: elsewhere.id },
      { applyAt, dependsOn: 999_999_999 },
      { dependsOn: late.id },
    ])
      expect(invalidFields(await asAuthor("POST", REQUESTS, { ...body, ...more }))).toEqual([
        "dependsOn",
      ]);
    const own = await schedule(scene, { applyAt, operations });
    expect(invalidFields(await edit(own, { dependsOn: own["id"], operations }))).toEqual([
      "dependsOn",
    ]);
  });

  it("an outdated request is reported a day before its time", async () => {
    const scene = await newScene({});
    const { projectId, environmentId, flagId } = scene;
    const request = await schedule(scene, { applyAt: iso(Date.now() + DAY + 3 * MINUTE) });
    await setStrategy(flagId, { environmentId, hashKey: "other" });
    expect(await runLater(projectId)).toHaveLength(1);
    expect(await actionsOf(request)).toEqual(["opened", "outdated"]);
  });

  it("a request that is not outdated is looked at an hour before its time, and at its time", async () => {
    const scene = await newScene({});
    const request = await schedule(scene, { applyAt: iso(Date.now() + DAY + 3 * MINUTE) });
    const applyAt = Date.parse(request.applyAt);
    expect(await rowOf(request)).toMatchObject({ next_at: applyAt - DAY });
    await runLater(scene.projectId);
    expect(await rowOf(request)).toMatchObject({ next_at: applyAt - HOUR });
    await runLater(scene.projectId, applyAt - HOUR - Date.now());
    expect(await rowOf(request)).toMatchObject({ next_at: applyAt, state: "open" });
    await runLater(scene.projectId, HOUR);
    expect(await rowOf(request)).toMatchObject({ next_at: null, state: "applied" });
  });

  it("not approved at applyAt, it waits, and an approval then applies it at once", async () => {
    const scene = await newScene();
    const request = await schedule(scene);
    await runLater(scene.projectId);
    await runLater(scene.projectId, 5_000);
    expect(await read(request)).toMatchObject({ state: "open", status: "needs-approval" });
    expect((await rowOf(request)).next_at).toBeGreaterThan(Date.now());
    await approve(asApprover, request);
    expect((await rowOf(request)).next_at).toBe(Date.now());
    await runLater(scene.projectId, 0);
    expect(await read(request)).toMatchObject({ state: "applied" });
  });

  it("not approved until latestAt, it is blocked, until somebody schedules it again", async () => {
    const scene = await newScene();
    const { projectId } = scene;
    await newSubscriber(projectId);
    const request = await schedule(scene, { latestAt: iso(Date.now() + 4 * MINUTE) });
    await runLater(projectId);
    const mails = await runLater(projectId, MINUTE + 1);
    await runLater(projectId, MINUTE);
    const blocked = await read(request);
    expect(blocked).toMatchObject({ status: "blocked", latestAt: request.latestAt });
    expect(blocked["blockedBy"]).toBe(
      `The change request was not approved until ${request["latestAt"]}`,
    );
    expect(mails).toMatchObject([
      { to: author.email, subject: "Scheduled change request blocked: More" },
    ]);
    expect(await actionsOf(request)).toEqual(["opened", "blocked"]);
    expect((await eventsOf(projectId)).at(-1)).toBe("change-request.blocked");
    await approve(asApprover, blocked);
    expect(await rowOf(request)).toMatchObject({ next_at: null });
    const again = (await edit(blocked, { applyAt: iso(Date.now()) })).body;
    expect(again).toMatchObject({ status: "needs-approval", blockedBy: null });
    await approve(asApprover, again);
    await runLater(projectId, 0);
    expect(await read(request)).toMatchObject({ state: "applied" });
  });

  it("a rejection keeps it from being applied", async () => {
    const scene = await newScene();
    const request = await schedule(scene, { latestAt: iso(Date.now() + 4 * MINUTE) });
    await approve(asApprover, request);
    await act(as(await adminToken()), "reviews", request, { verdict: "reject", comment: "No" });
    await runLater(scene.projectId);
    await runLater(scene.projectId, 2 * MINUTE);
    expect((await read(request))["blockedBy"]).toContain("was rejected until");
  });

  it("times are instants, whatever their offset", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    const berlin = `${iso(Date.parse(request.applyAt) + HOUR).slice(0, -1)}+01:00`;
    const { body } = await edit(request, { applyAt: berlin, timeZone: "Europe/Berlin" });
    expect(body).toMatchObject({ hash: request.hash, applyAt: request.applyAt });
  });

  it("when the database fails, it is tried again, and is blocked after latestAt", async () => {
    const scene = await newScene({});
    const { projectId } = scene;
    const request = await schedule(scene, { latestAt: iso(Date.now() + 4 * MINUTE) });
    const DB = wrappedDatabase(async (run, { isBatch, values }) => {
      const isApply = isBatch && values.some((bound) => bound.includes("applied"));
      if (isApply) throw new Error("D1_ERROR: the database is overloaded");
      return run();
    });
    await runLater(projectId, 3 * MINUTE, { DB });
    expect((await rowOf(request)).next_at).toBe(Date.now() + 5_000);
    await runLater(projectId, 20_000, { DB });
    // As long as it is late.
    expect((await rowOf(request)).next_at).toBeGreaterThanOrEqual(Date.now() + 20_000);
    await runLater(projectId, MINUTE);
    expect((await read(request))["blockedBy"]).toContain("could not apply the change request");
  });

  it("when the answer of the database is lost, it is applied once", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    const DB = wrappedDatabase(async (run, { isBatch, values }) => {
      const result = await run();
      const isApply = isBatch && values.some((bound) => bound.includes("applied"));
      if (isApply) throw new Error("D1_ERROR: network connection lost");
      return result;
    });
    await runLater(scene.projectId, 3 * MINUTE, { DB });
    await runLater(scene.projectId, MINUTE);
    expect(await actionsOf(request)).toEqual(["opened", "applied"]);
  });

  it("when the scheduler object fails, the cron applies it", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    const failing = {
      getByName: () => ({ run: () => Promise.reject(new Error("overloaded")), wake: () => {} }),
    } as unknown as Env["SCHEDULERS"];
    setClock(Date.now() + 13 * MINUTE);
    await runLate(jobDeps({ ...env, SCHEDULERS: failing }));
    expect(await read(request)).toMatchObject({ state: "applied" });
  });

  it("two runs and an apply by hand at once apply it once", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    setClock(Date.now() + 3 * MINUTE);
    const [byHand] = await Promise.all([
      act(asAuthor, "apply", request),
      runDue(jobDeps(env), scene.projectId),
      runDue(jobDeps(env), scene.projectId),
    ]);
    expect(["200", "409 CONFLICT"]).toContain(outcome(byHand));
    expect(await actionsOf(request)).toEqual(["opened", "applied"]);
  });

  it("when closing races applying, the first commit wins", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    setClock(Date.now() + 3 * MINUTE);
    await Promise.all([act(asAuthor, "close", request), runDue(jobDeps(env), scene.projectId)]);
    const { state } = await read(request);
    expect(await actionsOf(request)).toEqual(["opened", state]);
    expect(await percentageOf(scene.flagId, scene.environmentId)).toBe(
      state === "applied" ? 50 : 25,
    );
  });

  it.each<[string, string, (scene: Scene, request: Json) => Promise<unknown>]>([
    [
      "the flag is archived",
      "is archived",
      ({ flagId }) => asAdmin("POST", `/api/v1/flags/${flagId}/archive`),
    ],
    [
      "the flag is deleted",
      "does not exist any more",
      async ({ flagId }) => {
        await asAdmin("POST", `/api/v1/flags/${flagId}/archive`);
        await asAdmin("DELETE", `/api/v1/flags/${flagId}`);
      },
    ],
    [
      "the segment is deleted",
      "segment that operations.0 uses does not exist",
      (_, { operations }) =>
        asAdmin("DELETE", `/api/v1/segments/${operations[0].after.segmentIds[0]}`),
    ],
    [
      "who has scheduled it is suspended",
      "is not active any more",
      () => suspend(author.id, "DISABLED"),
    ],
    [
      "who has scheduled it may not write any more",
      "may not apply it: The request needs the permission change-request:write",
      () => env.DB.prepare("UPDATE users SET role = 'VIEWER' WHERE id = ?").bind(author.id).run(),
    ],
    [
      "the project is hidden from who has scheduled it",
      "may not see the project any more",
      ({ projectId }) => asAdmin("PUT", `/api/v1/projects/${projectId}`, { visibility: "members" }),
    ],
  ])("is blocked if %s", async (_, reason, happen) => {
    const scene = await newScene({});
    const { projectId, set } = scene;
    const segment = await newSegment(projectId, [inCountries("de")]);
    const request = await schedule(scene, {
      operations: [set({ percentage: 50, segmentIds: [segment.id] })],
    });
    await happen(scene, request);
    try {
      await runLater(projectId);
    } finally {
      await env.DB.prepare("UPDATE users SET role = 'DEVELOPER', status = 'ACTIVE' WHERE id = ?")
        .bind(author.id)
        .run();
    }
    const blocked = await read(request);
    expect(blocked).toMatchObject({ state: "open", status: "blocked" });
    expect(blocked["blockedBy"]).toContain(reason);
    expect(await actionsOf(request)).toEqual(["opened", "blocked"]);
  });

  it("is blocked if a quota is exceeded", async () => {
    const scene = await newScene({});
    const operations = [scene.set({ constraints: [inCountries("de")] })];
    const request = await schedule(scene, { operations });
    await runLater(scene.projectId, 3 * MINUTE, { QUOTA_RULE_BYTES: "1" });
    expect((await read(request))["blockedBy"]).toContain("the quota is 1 bytes");
  });

  it("in the name of an API key, it is blocked once the key is deleted", async () => {
    const scene = await newScene({});
    const [kept, deleted] = [await newKey(scene.environmentId), await newKey(scene.environmentId)];
    const first = await schedule(scene, {}, as(kept.apiKey));
    const second = await schedule(scene, {}, as(deleted.apiKey));
    await asAdmin("DELETE", `/api/v1/api-keys/${deleted.id}`);
    await runLater(scene.projectId);
    expect(await read(first)).toMatchObject({ state: "applied" });
    expect((await read(second))["blockedBy"]).toContain("key");
  });

  it("a deleted environment closes it", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    await asAdmin("DELETE", `/api/v1/environments/${scene.environmentId}`);
    expect(await rowOf(request)).toMatchObject({ state: "closed", next_at: null });
  });

  it("the policy when it is applied counts, tightened or loosened", async () => {
    const scene = await newScene({});
    const { projectId, environmentId } = scene;
    const path = `/api/v1/environments/${environmentId}/protection`;
    const request = await schedule(scene);
    await asAdmin("PUT", path, { requiredApprovals: 1 });
    await runLater(projectId);
    expect(await read(request)).toMatchObject({ state: "open", status: "needs-approval" });
    await asAdmin("PUT", path, { requiredApprovals: 0 }, REASON);
    await runLater(projectId, MINUTE);
    expect(await read(request)).toMatchObject({ state: "applied" });
  });

  it("of an archived flag, it is applied again after the flag was unarchived and it was scheduled", async () => {
    const scene = await newScene({});
    const request = await schedule(scene);
    await asAdmin("POST", `/api/v1/flags/${scene.flagId}/archive`);
    await runLater(scene.projectId);
    await asAdmin("POST", `/api/v1/flags/${scene.flagId}/unarchive`);
    expect(await read(request)).toMatchObject({ status: "blocked" });
    const again = await edit(request, { applyAt: iso(Date.now()) });
    expect(again.body).toMatchObject({ status: "scheduled" });
    await runLater(scene.projectId, 0);
    expect(await read(request)).toMatchObject({ state: "applied" });
  });
});

it("a restore of the database closes what is scheduled, and the request says why", async () => {
  const scene = await newScene({});
  const request = await schedule(scene);
  const statements = afterRestore.split(/;$/m).filter((sql) => sql.trim() !== "");
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
  await runLater(scene.projectId);
  expect(await read(request)).toMatchObject({
    state: "closed",
    closedBy: "restore",
    comments: [{ author: "restore", text: expect.stringContaining("open it again") }],
  });
});

describe("GET /api/v1/schedule", () => {
  it("lists what is planned in a period, in the order of time, and what was blocked", async () => {
    const scene = await newScene({});
    const { projectId, flagId, environmentId, name, flagKey, set } = scene;
    const day = (n: number) => iso(Date.now() + n * DAY);
    const later = await schedule(scene, { applyAt: day(3) });
    const sooner = await schedule(scene, { applyAt: day(2) });
    const other = await newFlag(projectId);
    await schedule(scene, {
      applyAt: day(4),
      operations: [
        set({ percentage: 60 }),
        { kind: "flag.update", target: { flagId: other.id }, input: { name: "Renamed" } },
      ],
    });
    await opened(asAuthor, projectId, { operations: [set({ percentage: 70 })] });
    await env.DB.prepare("UPDATE change_requests SET blocked_by = 'Why' WHERE id = ?")
      .bind(later["id"])
      .run();
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO ramps (project_id, flag_id, environment_id, steps, state, before,
          strategy_version, step_at, next_at, starter_kind, starter_name, created_at, updated_at)
        VALUES (?1, ?2, ?3, '[]', 'running', '{}', 1, ?4, ?5, 'user', 'ann@example.com', ?4, ?4)`,
    )
      .bind(projectId, flagId, environmentId, now, now + DAY)
      .run();
    const list = async (query: object) => {
      const text = String(new URLSearchParams({ projectId: String(projectId), ...query }));
      return (await asAuthor("GET", `/api/v1/schedule?${text}`)).body.items as Json[];
    };
    const flag = { id: flagId, key: flagKey };
    const environment = { id: environmentId, name };
    expect(await list({})).toMatchObject([
      { kind: "ramp", flag, environment, title: null },
      { kind: "change-request", id: sooner["id"], flag, environment, title: "More" },
      { kind: "change-request", id: later["id"], at: later["applyAt"], blockedBy: "Why" },
      { kind: "change-request", flag: null, environment: null, blockedBy: null },
    ]);
    expect(await list({ from: day(2.5), to: day(3.5) })).toMatchObject([{ id: later["id"] }]);
    expect(await list({ flagId: other.id })).toHaveLength(1);
    expect(await list({ size: "1", page: "1" })).toMatchObject([{ id: sooner["id"] }]);
    const pause = "UPDATE ramps SET state = 'paused', next_at = NULL WHERE project_id = ?";
    await env.DB.prepare(pause).bind(projectId).run();
    expect(await list({})).toHaveLength(3);
    expect((await list({ flagId })).at(-1)).toMatchObject({ kind: "ramp", flag, at: null });
  });
});

const suspend = (id: number, status: string) =>
  env.DB.prepare("UPDATE users SET status = ? WHERE id = ?").bind(status, id).run();
