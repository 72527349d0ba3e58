import { createClient } from "@feature-flags/sdk";
import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import plans from "../../../scripts/after-restore-plans.sql?raw";
import statements from "../../../scripts/after-restore.sql?raw";
import { call } from "../support/client.ts";
import { approve, newDeviceLogin, poll as takeToken } from "../support/device-logins.ts";
import { newLink } from "../support/links.ts";
import {
  callerOfAgent,
  codeForm,
  connected,
  refreshForm,
  sendForm,
  withCode,
} from "../support/oauth.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { poll } from "../support/sdk.ts";
import { claimsOf, signedIn, me, refresh } from "../support/sessions.ts";
import { newToken } from "../support/tokens.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type World = Awaited<ReturnType<typeof newWorld>>;

/** Reads the database rows that this test changes, so that `restore` can write those rows back. */
async function backup({ environmentId, projectId }: World) {
  return [
    await rowsOf("projects", "id", projectId),
    await rowsOf("environments", "id", environmentId),
    await rowsOf("strategies", "environment_id", environmentId),
    await rowsOf("rule_changes", "environment_id", environmentId),
    await rowsOf("api_keys", "environment_id", environmentId),
  ];
}

const rowsOf = async (table: string, column: string, value: number) => ({
  table,
  rows: await rows(`SELECT * FROM ${table} WHERE ${column} = ?`, value),
});

async function restore(saved: Awaited<ReturnType<typeof backup>>): Promise<void> {
  const writes = saved.flatMap(({ table, rows: old }) =>
    old.map((row) => {
      const names = Object.keys(row);
      const updates = names.map((name) => `${name} = excluded.${name}`);
      const marks = names.map(() => "?");
      return env.DB.prepare(
        `INSERT INTO ${table} (${names.join()}) VALUES (${marks.join()})
          ON CONFLICT DO UPDATE SET ${updates.join()}`,
      ).bind(...Object.values(row));
    }),
  );
  await env.DB.batch(writes);
}

async function afterRestore() {
  // The statements end all sessions. The test keeps the session of the administrator.
  const administrator = Number(claimsOf(await adminToken()).sub);
  const kept = await rowsOf("sessions", "user_id", administrator);
  await env.DB.batch(
    [statements, plans]
      .join("\n")
      .split(/;$/m)
      .flatMap((sql) => (sql.trim() ? env.DB.prepare(sql) : [])),
  );
  await restore([kept]);
}

const rollOut = (answer: Awaited<ReturnType<typeof poll>>) =>
  answer.body.map(({ activation }) => activation.rollOut);

describe("after the database is restored to an earlier time", () => {
  let world: World;
  let revoked: { readonly id: number; readonly apiKey: string };
  let undone: { readonly etag: string; readonly since: string; readonly revision: number };
  let sequence: number;

  const sequenceOf = async (): Promise<number> =>
    (await rows("SELECT event_sequence AS n FROM projects WHERE id = ?", world.projectId))[0].n;

  beforeAll(async () => {
    world = await newWorld();
    const { projectId, environmentId, apiKey } = world;
    const flag = await newFlag(projectId);
    revoked = await newKey(environmentId);
    const strategy = { environmentId, enabled: true };
    await setStrategy(flag.id, { ...strategy, percentage: 20 });
    const saved = await backup(world);

    await setStrategy(flag.id, { ...strategy, percentage: 30 });
    await setStrategy(flag.id, { ...strategy, percentage: 40 });
    await call("DELETE", `/api/v1/api-keys/${revoked.id}`, { token: await adminToken() });
    const { headers } = await poll(apiKey);
    undone = {
      etag: headers.get("ETag") ?? "",
      since: headers.get("X-Next-Since") ?? "",
      revision: Number(headers.get("X-Revision")),
    };
    sequence = await sequenceOf();

    await restore(saved);
    await afterRestore();
    // The client API checks an API key in the database again 1 s after the last check.
    await sleep(1_100);
  });

  it("SDKs get the restored rules with a newer revision, although KV still has the rules that the restore undid", async () => {
    const answer = await poll(world.apiKey);
    expect(rollOut(answer)).toEqual([20]);
    expect(Number(answer.headers.get("X-Revision"))).toBeGreaterThan(undone.revision);
  });

  it("an SDK with rules that the restore undid gets the restored rules in a delta response", async () => {
    const answer = await poll(world.apiKey, undone);
    expect(answer.headers.get("X-Delta")).toBe("partial");
    expect(rollOut(answer)).toEqual([20]);
  });

  it("a client of the SDK drops a flag that was created after that time", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const kept = await newFlag(projectId, { key: "kept" });
    const saved = await backup({ ...world, projectId, environmentId });
    const { id } = await newFlag(projectId, { key: "undone" });
    const client = createClient({
      url: "https://flags.test",
      key: apiKey,
      updates: "manual",
      fetch: (input, init) => exports.default.fetch(new Request(input, init)),
    });
    await client.ready();
    expect(Object.keys(client.all())).toEqual(["kept", "undone"]);
    await env.DB.prepare("DELETE FROM flags WHERE id = ?").bind(id).run();
    await restore(saved);
    await afterRestore();
    await setStrategy(kept.id, { environmentId, enabled: true });
    await expect
      .poll(async () => {
        await client.refresh();
        return client.all();
      })
      .toEqual({ kept: expect.objectContaining({ enabled: true }) as unknown });
    await client.close();
  });

  it("ramps are paused with their hold", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id: flagId } = await newFlag(projectId);
    const token = await adminToken();
    const steps = [
      { exactPercentage: 10, holdMinutes: 5 },
      { exactPercentage: 20, holdMinutes: null },
    ];
    const options = { token, body: { flagId, environmentId, steps } };
    const { body } = await call("POST", "/api/v1/ramps", options);
    await afterRestore();
    const paused = (await call("GET", `/api/v1/ramps/${body.id}`, { token })).body;
    expect(paused).toMatchObject({ state: "paused", nextAt: null, remainingMs: 300_000 });
  });

  it("an API key that was deleted after that time is still rejected", async () => {
    expect((await poll(revoked.apiKey)).status).toBe(401);
  });

  it("new ids and event sequence numbers are above those that were assigned after that time", async () => {
    const key = await newKey(world.environmentId);
    expect(key.id).toBeGreaterThan(revoked.id + 1_000);
    expect(await sequenceOf()).toBeGreaterThan(sequence);
  });

  it("a session that was ended after that time stays ended", async () => {
    const { id, token, refreshToken } = await signedIn("VIEWER");
    const saved = [await rowsOf("sessions", "user_id", id)];
    expect((await call("POST", "/api/v1/auth/logout", { token })).status).toBe(204);
    await restore(saved);
    await afterRestore();
    expect((await me(token)).status).toBe(401);
    const refreshed = await refresh(refreshToken);
    expect(refreshed.status).toBe(401);
  });

  it("a token, an agent, and approvals without a token are rejected, whether or not they were ended after that time", async () => {
    const agent = await connected();
    const { user, clientId, code } = await withCode();
    const token = (await newToken({ userId: user.id, scopes: ["read"] })).token;
    const codes = await newDeviceLogin();
    expect((await approve(user.token, codes)).status).toBe(200);
    expect((await me(token)).status).not.toBe(401);
    expect(await callerOfAgent(agent.tokens.access_token)).toBeDefined();

    await afterRestore();
    expect((await me(token)).status).toBe(401);
    expect(await callerOfAgent(agent.tokens.access_token)).toBeUndefined();
    const refreshed = await sendForm(
      "token",
      refreshForm(agent.clientId, agent.tokens.refresh_token),
    );
    expect(refreshed.body.error).toBe("invalid_grant");
    expect((await sendForm("token", codeForm(clientId, code))).body.error).toBe("invalid_grant");
    expect((await takeToken(codes)).body.code).toBe("EXPIRED_TOKEN");
  });

  it("a password reset link that was used after that time stays used", async () => {
    const { token, id } = await newLink("RESET");
    const saved = [await rowsOf("user_tokens", "user_id", id)];
    const reset = (password: string) =>
      call("POST", "/api/v1/auth/reset-password", { body: { token, password } });
    expect((await reset("a new password")).status).toBe(200);
    await restore(saved);
    await afterRestore();
    expect((await reset("the password of a thief")).status).toBe(401);
  });
});
