import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findKey, readEnvironmentRules } from "../../src/client/queries.ts";
import { sha256 } from "../../src/core/lib/digest.ts";
import { MIN_MARK_INTERVAL_MS } from "../../src/core/usage/message-types.ts";
import { record } from "../../src/db/commit.ts";
import type { SqlClient } from "../../src/db/database.ts";
import type { JobDeps } from "../../src/jobs/deps.ts";
import { rollUpUsage } from "../../src/jobs/usage/roll-up.ts";
import { jobDeps } from "../../src/platform/jobs.ts";
import { ROWS } from "../../scripts/scale/rows.ts";
import { MeteredDatabase } from "./support/metered-database.ts";
import { adminToken } from "./support/people.ts";
import { newEnvironment, newFlag, newIntegration, newKey, newProject } from "./support/world.ts";
import { callWith } from "./support/call-with.ts";

const FLAGS = 20;
const INSTANCES = 100;

async function busyEnvironment() {
  const { id: projectId } = await newProject();
  const { id: environmentId } = await newEnvironment(projectId);
  const { apiKey } = await newKey(environmentId);
  const flags = [];
  for (let n = 0; n < FLAGS; n++) flags.push(await newFlag(projectId));
  return { projectId, environmentId, apiKey, flags };
}

const instances = Array.from({ length: INSTANCES }, () => crypto.randomUUID());

const metered = (db: MeteredDatabase): JobDeps => ({
  ...jobDeps(env),
  record: (statements) => record(db as unknown as SqlClient, statements),
});

/** The factor by which the estimate of rows read may be wrong, because query plans differ. */
const WITHIN = 1.5;

describe("the rows that the scale model assumes", () => {
  it("match a check of an API key, and are an upper bound for a build of the rules", async () => {
    const { environmentId, apiKey } = await busyEnvironment();
    const db = new MeteredDatabase();
    const client = db as unknown as SqlClient;
    await findKey(client, await sha256(apiKey));
    expect(db.take()).toEqual({ ...ROWS.keyCheck, written: 0 });
    await readEnvironmentRules(client, environmentId, Date.now());
    expect(db.take().read).toBeLessThan(FLAGS * ROWS.build.readAFlag);
  });

  it("match a strategy change that is sent to a webhook", async () => {
    const { projectId, environmentId, flags } = await busyEnvironment();
    await newIntegration(projectId);
    const db = new MeteredDatabase();
    const WEBHOOKS = { sendBatch: async () => {} } as unknown as Queue;
    const path = `/api/v1/flags/${flags[0].id}/strategies`;
    const body = { environmentId, enabled: true, percentage: 50 };
    const token = await adminToken();
    await callWith({ DB: db as unknown as D1Database, WEBHOOKS }, "PUT", path, { token, body });
    const { read, written } = db.take();
    expect(written).toBe(ROWS.change.written);
    expect(read).toBeLessThan(WITHIN * (ROWS.change.read + FLAGS * ROWS.build.readAFlag));
  });

  it("match the first usage reports of an hour, and later reports of that hour", async () => {
    const { environmentId, flags } = await busyEnvironment();
    const db = new MeteredDatabase();
    const at = Date.now();
    const roll = () =>
      rollUpUsage(
        metered(db),
        instances.map((instanceId) => ({
          kind: "report",
          id: crypto.randomUUID(),
          environmentId,
          at,
          instance: { appName: "shop", instanceId },
          evaluations: flags.map(({ key }) => [key, 7, 5]),
        })),
      );
    const { report, instanceHour, flagHour } = ROWS;
    await roll();
    // The first roll-up also writes each flag once, for the time of its last use.
    expect(db.take().written).toBe(
      INSTANCES * (report.written + instanceHour.begun) + FLAGS * (flagHour.begun + 1),
    );
    await roll();
    const { read, written } = db.take();
    expect(written).toBe(
      INSTANCES * (report.written + instanceHour.written) + FLAGS * flagHour.written,
    );
    const estimate =
      INSTANCES * (report.read + FLAGS * instanceHour.readAFlag) + FLAGS * flagHour.read;
    expect(read).toBeLessThan(WITHIN * estimate);
    expect(read).toBeGreaterThan(estimate / WITHIN);
  });

  it("match last-seen marks", async () => {
    const { environmentId } = await busyEnvironment();
    const db = new MeteredDatabase();
    const see = (at: number) =>
      rollUpUsage(metered(db), [
        {
          kind: "sightings",
          keys: [],
          instances: instances.map((instanceId) => ({
            environmentId,
            appName: "shop",
            instanceId,
            sdkVersion: "1.0.0",
            revision: 1,
            at,
          })),
        },
      ]);
    const at = Date.now();
    await see(at);
    db.take();
    await see(at + MIN_MARK_INTERVAL_MS);
    const { read, written } = ROWS.lastSeenMark;
    expect(db.take()).toEqual({ read: INSTANCES * read, written: INSTANCES * written });
  });
});
