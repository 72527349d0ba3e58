import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { forgetAdminToken } from "./people.ts";

/**
 * Runs before each test file. The files of a worker share one runtime with one database, so the
 * migrations run only before the first of them.
 */
const { DB, MIGRATIONS } = env as Env & { readonly MIGRATIONS: D1Migration[] };

await applyD1Migrations(DB, MIGRATIONS);
forgetAdminToken();

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
