import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { asAdmin } from "../support/outcomes.ts";
import { newAgent, toolData, useTool } from "../support/mcp.ts";
import { person } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newServiceAccount, newToken } from "../support/tokens.ts";
import { addBatch } from "../support/usage.ts";
import { newEnvironment, newFlag, newProject, newWorld, setStrategy } from "../support/world.ts";

/** Creates a project with the environments Staging and Production, of which the second is protected. */
async function shop() {
  // The API refuses a protection without somebody who may approve besides the author.
  await person("DEVELOPER");
  const { projectId, environmentId } = await newWorld();
  await asAdmin("PUT", `/api/v1/environments/${environmentId}`, { name: "Staging" });
  const production = await newEnvironment(projectId);
  const body = { name: "Production", production: true };
  await asAdmin("PUT", `/api/v1/environments/${production.id}`, body);
  const protection = `/api/v1/environments/${production.id}/protection`;
  await asAdmin("PUT", protection, { requiredApprovals: 1 });
  return { projectId, stagingId: environmentId, productionId: production.id as number };
}

it("an agent finds a stale flag, explains it, rolls another one out, waits until it has arrived, proposes a change in a protected environment, and is refused what it may not do", async () => {
  const { projectId, stagingId } = await shop();
  const old = await newFlag(projectId, { key: "old-checkout", name: "Old checkout" });
  await setStrategy(old.id, { environmentId: stagingId, enabled: true });
  await env.DB.prepare("UPDATE flags SET updated_at = ? WHERE id = ?")
    .bind(Date.now() - 50 * DAY_MS, old.id)
    .run();
  await newFlag(projectId, { key: "new-checkout" });
  const { token, owner } = await newAgent({ projectIds: [projectId] });
  const use = (name: string, input: object) => toolData(token, name, input);

  const { flags: stale } = await use("stale_flags", {});
  expect(stale).toMatchObject([{ key: "old-checkout", days: 50, on: "some", requiredBy: [] }]);
  const staging = { flag: "new-checkout", environment: "Staging" };
  const context = { targetingKey: "ann" };
  expect(await use("explain", { ...staging, flag: "old-checkout", context })).toMatchObject({
    on: true,
    variant: "on",
    value: true,
    reason: "STATIC",
    rules: [{ name: null, result: "decided", failed: [] }],
  });

  const { states } = await use("get_flag", { flag: "new-checkout" });
  expect(states).toMatchObject([
    { environment: "Staging", production: false, protected: false, on: false, version: 0 },
    { environment: "Production", production: true, protected: true, on: false, version: 0 },
  ]);
  const reason = "Try it with some users";
  const switched = await use("switch_flag", { ...staging, version: 0, on: true, reason });
  expect(switched).toMatchObject({ status: "applied", version: 1 });
  const fivePercent = { ...staging, version: 1, percentage: 5, reason };
  expect(await use("set_rollout", { ...fivePercent, dryRun: true })).toMatchObject({
    status: "preview",
    version: 1,
    moves: 0.95,
  });
  const rolledOut = await use("set_rollout", fivePercent);
  const [{ revision }] = rolledOut.revisions;
  expect(rolledOut).toEqual({
    status: "applied",
    version: 2,
    revisions: [{ environment: "Staging", revision: expect.any(Number) }],
    propagationUrl: `https://flags.test/api/v1/environments/${stagingId}/propagation`,
    changeRequestUrl: null,
    moves: null,
  });

  const mark = {
    environmentId: stagingId,
    appName: "shop",
    instanceId: "shop-1",
    sdkVersion: null,
  };
  const seen = (of: number) =>
    addBatch(projectId, { instances: [{ ...mark, revision: of, at: Date.now() }] });
  const propagation = async () => (await use("get_flag", staging)).propagation;
  await seen(revision - 1);
  expect(await propagation()).toEqual({ instances: 1, upToDate: 0, complete: false });
  await seen(revision);
  await expect.poll(propagation).toEqual({ instances: 1, upToDate: 1, complete: true });

  const production = { flag: "new-checkout", environment: "Production", version: 0 };
  const proposed = await use("switch_flag", { ...production, on: true, reason: "Go live" });
  const [request] = await rows("SELECT * FROM change_requests WHERE project_id = ?", projectId);
  const changeRequestUrl = `https://flags.test/projects/${projectId}/change-requests/${request.id}`;
  expect(proposed).toEqual({
    status: "change-requested",
    version: null,
    revisions: [],
    propagationUrl: null,
    changeRequestUrl,
    moves: null,
  });
  expect(request).toMatchObject({ title: "Go live", author_id: owner.id, state: "open" });
  expect(await use("get_flag", { flag: "new-checkout" })).toMatchObject({
    states: [{ on: true, percentage: 5 }, { on: false }],
    changeRequests: [{ id: request.id, url: changeRequestUrl }],
  });

  const repeated = { ...production, on: true, reason: "Once more" };
  const both = await Promise.all([1, 2].map(() => use("switch_flag", repeated)));
  expect(both).toEqual([proposed, proposed]);
  const other = await newAgent({ projectIds: [projectId] });
  const byOther = await toolData(other.token, "switch_flag", repeated);
  expect(byOther.changeRequestUrl).not.toBe(changeRequestUrl);
  const ids = await rows("SELECT id FROM change_requests WHERE project_id = ?", projectId);
  expect(ids).toHaveLength(2);

  const narrow = await newAgent({ projectIds: [projectId], environmentIds: [stagingId] });
  const refused = await useTool(narrow.token, "switch_flag", { ...production, on: true, reason });
  expect(refused.error).toBe("The token may not change Production. Ask its owner.");
  const viewer = await newAgent({ role: "VIEWER", projectIds: [projectId] });
  const asViewer = await useTool(viewer.token, "set_rollout", { ...fivePercent, version: 2 });
  expect(asViewer.error).toBe("The request needs the permission strategy:write");

  const { records } = await use("history", { flag: "new-checkout", environment: "Staging" });
  expect(records).toMatchObject([
    {
      action: "strategy.updated",
      actor: "DEVELOPER",
      via: "Claude Code 1.2",
      environment: "Staging",
      reason,
      changes: [{ field: "percentage", before: 100, after: 5 }],
    },
    { via: "Claude Code 1.2", changes: [{ field: "enabled", before: false, after: true }] },
  ]);
});

it("create_flag makes a flag that is off everywhere, with the limits of the API, and archive_flag archives and restores it", async () => {
  const { projectId } = await newWorld();
  const { token } = await newAgent({ projectIds: [projectId] });
  const variants = [{ key: "blue", value: "#1971c2" }];
  const given = { key: "color", name: "Color", valueType: "string", variants, tags: ["shop"] };
  const created = await toolData(token, "create_flag", given);
  expect(created).toMatchObject({ status: "applied", version: 1 });
  expect(created.revisions).toHaveLength(1);
  const again = await useTool(token, "create_flag", given);
  expect(again.error).toBe("A flag with this key exists in the project");
  const bad = await useTool(token, "create_flag", { key: "a b", name: "" });
  expect(bad.error).toBe(
    "The request body is not valid: key must have 1 to 128 characters: letters, digits, and . _ - :; name must not be empty",
  );
  const archive = { flag: "color", version: 1, reason: "Done" };
  expect(await toolData(token, "archive_flag", archive)).toMatchObject({
    status: "applied",
    version: 2,
  });
  expect((await toolData(token, "find_flags", {})).total).toBe(0);
  const restore = { ...archive, version: 2, archived: false };
  expect(await toolData(token, "archive_flag", restore)).toMatchObject({ version: 3 });
  expect(await toolData(token, "find_flags", { tag: "shop" })).toMatchObject({
    flags: [{ key: "color", archived: false }],
    total: 1,
    next: null,
  });
});

it("turning off stays direct in a protected environment that lets it pass, and no header bypasses the approval", async () => {
  const { projectId, productionId } = await shop();
  const flag = await newFlag(projectId, { key: "new-checkout" });
  const bypass = { "X-Approval-Bypass": "true", "X-Change-Reason": "An incident" };
  const on = { environmentId: productionId, enabled: true };
  await asAdmin("PUT", `/api/v1/flags/${flag.id}/strategies`, on, bypass);
  const { token } = await newAgent({
    role: "ADMIN",
    scopes: ["write", "admin"],
    projectIds: [projectId],
  });
  const target = { flag: "new-checkout", environment: "Production", version: 1 };
  const rollOut = { ...target, percentage: 5, reason: "Less" };
  const { data } = await useTool(token, "set_rollout", rollOut, { headers: bypass });
  expect(data.status).toBe("change-requested");
  const off = { ...target, on: false, reason: "It fails" };
  expect(await toolData(token, "switch_flag", off)).toMatchObject({
    status: "applied",
    version: 2,
  });
});

it("explain names the conditions that failed, and no value of the context", async () => {
  const { projectId, stagingId } = await shop();
  const flag = await newFlag(projectId, { key: "new-checkout" });
  const constraint = { field: "country", operator: "in", values: ["at"], contextType: "string" };
  const rules = [{ name: "Austria", constraints: [constraint], serve: { variant: "on" } }];
  await setStrategy(flag.id, { environmentId: stagingId, enabled: true, rules, percentage: 0 });
  const { token } = await newAgent({ projectIds: [projectId] });
  const target = { flag: "new-checkout", environment: "staging" };
  const context = { targetingKey: "ann", country: "de" };
  expect(await toolData(token, "explain", { ...target, context })).toMatchObject({
    on: false,
    reason: "SPLIT",
    rules: [
      { name: "Austria", result: "condition", failed: ["country in at"] },
      { name: null, result: "percentage", failed: ["roll-out 0 %"] },
    ],
  });
  const large = { ...target, context: { text: "x".repeat(9000) } };
  expect((await useTool(token, "explain", large)).error).toContain("at most 8 KB");
});

it("find_flags filters by text, environment and state", async () => {
  const { projectId, stagingId } = await shop();
  const on = await newFlag(projectId, { key: "is-on" });
  await newFlag(projectId, { key: "is-off" });
  await setStrategy(on.id, { environmentId: stagingId, enabled: true });
  const { token } = await newAgent({ projectIds: [projectId] });
  const find = (input: object) => toolData(token, "find_flags", input);
  expect(await find({ query: "OFF" })).toMatchObject({ flags: [{ key: "is-off" }], total: 1 });
  const staging = { environment: "Staging" };
  expect(await find(staging)).toMatchObject({ flags: [{ on: true }, { on: false }] });
  expect(await find({ ...staging, state: "on" })).toMatchObject({ flags: [{ key: "is-on" }] });
  const { error } = await useTool(token, "find_flags", { state: "on" });
  expect(error).toBe("state requires environment; name one");
});

it("a service account with a token acts through an agent, too", async () => {
  const project = await newProject();
  const serviceAccountId = await newServiceAccount("DEVELOPER", project.id);
  const { token } = await newToken({ serviceAccountId, scopes: ["write"] });
  const created = await toolData(token, "create_flag", { key: "a", name: "A" });
  expect(created.status).toBe("applied");
});
