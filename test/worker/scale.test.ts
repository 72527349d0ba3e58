import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findKey, readEnvironmentRules } from "../../src/client/queries.ts";
import { sha256 } from "../../src/core/lib/digest.ts";
import { HOUR_MS } from "../../src/core/lib/time.ts";
import {
  type FlagUsage,
  MIN_MARK_INTERVAL_MS,
  type UsageMessage,
} from "../../src/core/usage/message-types.ts";
import { record } from "../../src/db/commit.ts";
import { readDb, type SqlClient } from "../../src/db/database.ts";
import type { JobDeps } from "../../src/jobs/deps.ts";
import { rollUpUsage } from "../../src/jobs/usage/roll-up.ts";
import { jobDeps } from "../../src/platform/jobs.ts";
import { ROWS } from "../../scripts/scale/rows.ts";
import { MeteredDatabase } from "./support/metered-database.ts";
import { adminToken } from "./support/people.ts";
import { newVariantFlag, reportOf } from "./support/usage.ts";
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

/** One usage report of each instance. */
const reportsAt = (
  at: number,
  environmentId: number,
  evaluations: readonly FlagUsage[],
): UsageMessage[] =>
  instances.map((instanceId) =>
    reportOf(environmentId, evaluations, { at, instance: { appName: "shop", instanceId } }),
  );

const metered = (db: MeteredDatabase): JobDeps => ({
  ...jobDeps(env),
  db: readDb(db),
  record: (statements) => record(db as unknown as SqlClient, statements),
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

  it("match the measured rows of the first usage reports of an hour, and of later reports in that hour", async () => {
    const { environmentId, flags } = await busyEnvironment();
    const db = new MeteredDatabase();
    const at = Date.now();
    const roll = () =>
      rollUpUsage(
        metered(db),
        reportsAt(
          at,
          environmentId,
          flags.map(({ key }) => [key, 7, 5]),
        ),
      );
    const { report, instanceHour, flagHour } = ROWS;
    await roll();
    // The first roll-up also writes the time of the last use of each flag.
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

  it("match the measured rows that usage reports with variants need in addition", async () => {
    const { projectId, environmentId } = await busyEnvironment();
    const keys = ["blue", "green", "grey"];
    const flags: { key: string }[] = [];
    for (let n = 0; n < FLAGS; n++) flags.push(await newVariantFlag(projectId, keys));
    const db = new MeteredDatabase();
    const rollAt = async (at: number, usageOf: (key: string) => FlagUsage) => {
      const evaluations = flags.map(({ key }) => usageOf(key));
      await rollUpUsage(metered(db), reportsAt(at, environmentId, evaluations));
      return db.take();
    };
    const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const served = Object.fromEntries(keys.map((key) => [key, 4]));
    const plain = (key: string): FlagUsage => [key, 7, 5];
    const byVariant = (key: string): FlagUsage => [key, 7, 5, served];
    const [begun, later] = [await rollAt(HOUR, plain), await rollAt(HOUR, plain)];
    const begunByVariant = await rollAt(HOUR + HOUR_MS, byVariant);
    const laterByVariant = await rollAt(HOUR + HOUR_MS, byVariant);
    const { instanceHour, variantHour } = ROWS;
    const rows = FLAGS * keys.length;
    expect(begunByVariant.written - begun.written).toBe(rows * variantHour.begun);
    expect(laterByVariant.written - later.written).toBe(rows * variantHour.written);
    const estimate = INSTANCES * rows * instanceHour.readAVariant + rows * variantHour.read;
    expect(laterByVariant.read - later.read).toBeLessThan(WITHIN * estimate);
    expect(laterByVariant.read - later.read).toBeGreaterThan(estimate / WITHIN);
  });

  it("equal the measured rows of last-seen marks", async () => {
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
