import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { forgetAdminToken } from "./people.ts";

/**
 * Runs before each test file. The files of a worker share one runtime with one database: the first
 * file migrates it, and each file begins with empty tables. Ids are not used again, because Durable
 * Objects and KV still hold the data of deleted rows.
 */
const { DB, MIGRATIONS } = env as Env & { readonly MIGRATIONS: D1Migration[] };

await applyD1Migrations(DB, MIGRATIONS);
const { results: tables } = await DB.prepare(
  `SELECT name FROM sqlite_schema
    WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT IN ('d1_migrations', 'sqlite_sequence')`,
).all<{ name: string }>();
await DB.batch([
  DB.prepare("PRAGMA defer_foreign_keys = ON"),
  ...tables.map(({ name }) => DB.prepare(`DELETE FROM "${name}"`)),
]);
forgetAdminToken();

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
