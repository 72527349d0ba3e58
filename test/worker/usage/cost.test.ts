import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { callIn } from "../support/call-with.ts";
import { MeteredDatabase } from "../support/metered-database.ts";
import { completeHours, countsOf, usageObjectOf } from "../support/usage.ts";
import { newFlag, newWorld } from "../support/world.ts";

const REPORTS = 1_000;
const INSTANCES = 50;
const FLAGS = 20;

/** The most rows that the reports may read and write, including the write of the completed hour. */
const MAX_ROWS = 60;
const MAX_MESSAGES = 20;

/** Counts the rows that a usage object writes to its tables. */
async function meteredObject(projectId: number) {
  const rows = { written: 0 };
  await runInDurableObject(usageObjectOf(projectId), (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    const cursors: SqlStorageCursor<never>[] = [];
    Reflect.set(sql, "exec", (...args: Parameters<typeof exec>) => {
      const cursor = exec(...args);
      cursors.push(cursor as never);
      rows.written = cursors.reduce((sum, one) => sum + one.rowsWritten, 0);
      return cursor;
    });
  });
  return rows;
}

it("1,000 usage reports of 20 flags from 50 instances, and their completed hour, write at most 60 rows and take at most 20 messages", async () => {
  const { projectId, environmentId, apiKey } = await newWorld();
  const flags: { id: number; key: string }[] = [];
  for (let n = 0; n < FLAGS; n++) flags.push(await newFlag(projectId));
  const evaluations = Object.fromEntries(flags.map(({ key }) => [key, { t: 1, f: 2 }]));

  let messages = 0;
  const isolate: Env = {
    ...env,
    USAGE_OBJECTS: {
      getByName: (name: string) => ({
        add: async (batches: string[]) => {
          messages += 1;
          await env.USAGE_OBJECTS.getByName(name).add(batches);
        },
      }),
    } as unknown as Env["USAGE_OBJECTS"],
  };
  const original = env.DB;
  const database = new MeteredDatabase();
  const inObject = await meteredObject(projectId);
  // The usage object writes to the database of this environment.
  Reflect.set(env, "DB", database);
  try {
    await Promise.all(
      Array.from({ length: REPORTS }, (_, n) =>
        callIn(isolate, "POST", "/api/client/metrics", {
          token: apiKey,
          body: { evaluations, appName: "shop", instanceId: `shop-${n % INSTANCES}` },
        }),
      ),
    );
    await completeHours(projectId);
  } finally {
    Reflect.set(env, "DB", original);
  }
  const written = { database: database.written, object: inObject.written };
  for (const { id } of flags)
    expect(await countsOf(id, environmentId)).toEqual([REPORTS, 2 * REPORTS]);
  expect(written.database).toBeGreaterThan(FLAGS);
  expect(written.object).toBeGreaterThan(0);
  expect(written.database + written.object).toBeLessThanOrEqual(MAX_ROWS);
  expect(messages).toBeLessThanOrEqual(MAX_MESSAGES);
});
