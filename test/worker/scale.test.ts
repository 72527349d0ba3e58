import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findKey, readEnvironmentRules } from "../../src/client/sources/queries.ts";
import { sha256 } from "../../src/core/lib/digest.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/lib/time.ts";
import type { FlagUsage } from "../../src/core/usage/message-types.ts";
import { record } from "../../src/db/commit.ts";
import { readDb, type SqlClient } from "../../src/db/database.ts";
import { writeHour, writeUses } from "../../src/jobs/usage/write-usage.ts";
import { ROWS } from "../../measure/scale/assumptions.ts";
import { MeteredDatabase } from "./support/metered-database.ts";
import { adminToken } from "./support/people.ts";
import { newEnvironment, newFlag, newIntegration, newKey, newProject } from "./support/world.ts";
import { callWith } from "./support/call-with.ts";
import { backdate } from "./support/usage.ts";

const FLAGS = 20;

async function busyEnvironment() {
  const { id: projectId } = await newProject();
  const { id: environmentId } = await newEnvironment(projectId);
  const { apiKey } = await newKey(environmentId);
  const flags = [];
  for (let n = 0; n < FLAGS; n++) flags.push(await newFlag(projectId));
  return { projectId, environmentId, apiKey, flags };
}

/** Returns what the functions need that write usage, with a database that counts the rows. */
const metered = (db: MeteredDatabase): Parameters<typeof writeHour>[0] => ({
  db: readDb(db),
  record: (statements) => record(db as unknown as SqlClient, statements),
  now: Date.now,
});

/** The factor by which the estimate of rows read may be wrong, because query plans differ. */
const WITHIN = 1.5;

describe("the database rows that the scale model assumes", () => {
  it("equal the measured rows of an API key check, and are above those of a build of the rules", async () => {
    const { environmentId, apiKey } = await busyEnvironment();
    const db = new MeteredDatabase();
    const client = db as unknown as SqlClient;
    await findKey(client, await sha256(apiKey));
    expect(db.take()).toEqual({ ...ROWS.keyCheck, written: 0 });
    await readEnvironmentRules(client, environmentId, Date.now());
    expect(db.take().read).toBeLessThan(FLAGS * ROWS.build.readAFlag);
  });

  it("match the measured rows of a strategy change that is sent to a webhook", async () => {
    const { projectId, environmentId, flags } = await busyEnvironment();
    await newIntegration(projectId);
    const db = new MeteredDatabase();
    const WEBHOOKS = { sendBatch: async () => {} } as unknown as Queue;
    const token = await adminToken();
    const set = (flagId: number) =>
      callWith(
        { DB: db as unknown as D1Database, WEBHOOKS },
        "PUT",
        `/api/v1/flags/${flagId}/strategies`,
        {
          token,
          body: { environmentId, enabled: true, percentage: 50 },
        },
      );
    // The first delivery of a project in a month also creates the row of the project's quota.
    await set(flags[0].id);
    db.take();
    await set(flags[1].id);
    const { read, written } = db.take();
    expect(written).toBe(ROWS.change.written);
    expect(read).toBeLessThan(WITHIN * (ROWS.change.read + FLAGS * ROWS.build.readAFlag));
  });

  it("equal the measured rows of a completed hour of usage, and of its deletion", async () => {
    const { projectId, environmentId, flags } = await busyEnvironment();
    const db = new MeteredDatabase();
    const usage = flags.map(({ key }): FlagUsage => [key, 7, 5]);
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
    await backdate(
      projectId,
      flags.map(({ key }) => key),
      hour,
    );
    const write = (id: string, apps: readonly [string, FlagUsage[]][]) =>
      writeHour(metered(db), { kind: "write", id, environmentId, hour, flags: usage, apps });
    const { flagHour, appHour, write: id } = ROWS;
    await write(crypto.randomUUID(), [["shop", usage]]);
    const { read, written } = db.take();
    expect(written).toBe(FLAGS * flagHour.written + appHour.written + id.written);
    expect(read).toBeLessThan(WITHIN * FLAGS * flagHour.read);
    const deleted = async (sql: string) =>
      (await env.DB.prepare(sql).bind(environmentId).run()).meta.rows_written;
    expect(await deleted("DELETE FROM usage_hours WHERE environment_id = ?")).toBe(
      FLAGS * flagHour.deleted,
    );
    expect(await deleted("DELETE FROM app_usage WHERE environment_id = ?")).toBe(appHour.deleted);
  });

  it("equal the measured rows of last uses of flags and API keys", async () => {
    const { projectId, flags } = await busyEnvironment();
    const db = new MeteredDatabase();
    const at = Date.now();
    const use = (usedAt: number) =>
      writeUses(metered(db), projectId, {
        flags: flags.map(({ key }): [string, number] => [key, usedAt]),
        keys: [],
      });
    await use(at);
    const { read, written } = db.take();
    expect(written).toBe(FLAGS * ROWS.use.written);
    expect(read).toBeLessThan(WITHIN * FLAGS * ROWS.use.read);
    // The service writes the time of use of a flag at most once a minute.
    await use(at + MINUTE_MS - 1);
    expect(db.take().written).toBe(0);
  });
});
