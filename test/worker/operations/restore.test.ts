import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import statements from "../../../scripts/after-restore.sql?raw";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type World = Awaited<ReturnType<typeof newWorld>>;
type Row = Readonly<Record<string, unknown>>;

/** Reads the database rows that this test changes, so that `restore` can write those rows back. */
async function backup({ environmentId, projectId }: World) {
  const read = async (table: string, column: string, value: number) => {
    const query = env.DB.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).bind(value);
    return { table, rows: (await query.all<Row>()).results };
  };
  return [
    await read("projects", "id", projectId),
    await read("environments", "id", environmentId),
    await read("strategies", "environment_id", environmentId),
    await read("rule_changes", "environment_id", environmentId),
    await read("api_keys", "environment_id", environmentId),
  ];
}

async function restore(saved: Awaited<ReturnType<typeof backup>>): Promise<void> {
  const writes = saved.flatMap(({ table, rows }) =>
    rows.map((row) => {
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

const afterRestore = () =>
  env.DB.batch(statements.split(/;$/m).flatMap((sql) => (sql.trim() ? env.DB.prepare(sql) : [])));

const rollOut = (answer: Awaited<ReturnType<typeof poll>>) =>
  answer.body.map(({ activation }) => activation.rollOut);

describe("after the database is restored to an earlier time", () => {
  let world: World;
  let revoked: { readonly id: number; readonly apiKey: string };
  let undone: { readonly etag: string; readonly since: string; readonly revision: number };
  let sequence: number;

  const sequenceOf = async () =>
    (await env.DB.prepare("SELECT event_sequence FROM projects WHERE id = ?")
      .bind(world.projectId)
      .first<number>("event_sequence")) ?? 0;

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
    // After one lease (1 s), the client API checks the API key in the database again.
    await sleep(1_100);
  });

  it("SDKs get the restored rules with a newer revision, although KV has the undone rules", async () => {
    const answer = await poll(world.apiKey);
    expect(rollOut(answer)).toEqual([20]);
    expect(Number(answer.headers.get("X-Revision"))).toBeGreaterThan(undone.revision);
  });

  it("SDKs that have the undone rules get the restored rules with a delta request", async () => {
    const answer = await poll(world.apiKey, undone);
    expect(answer.headers.get("X-Delta")).toBe("partial");
    expect(rollOut(answer)).toEqual([20]);
  });

  it("an API key that was deleted after that time is still rejected", async () => {
    expect((await poll(revoked.apiKey)).status).toBe(401);
  });

  it("new ids and event sequence numbers are above those that were assigned after that time", async () => {
    const key = await newKey(world.environmentId);
    expect(key.id).toBeGreaterThan(revoked.id + 1_000);
    expect(await sequenceOf()).toBeGreaterThan(sequence);
  });
});
