import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  appliedMigrations,
  locallyApplied,
  olderReleaseWarning,
  pendingMigrations,
} from "./applied-migrations.ts";
import { ROOT, run, runOnTerminal } from "./processes.ts";
import { ensureReplication } from "./replication.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

const BINDING = "DB";

/** The table in which `wrangler d1 migrations apply` records the applied migrations. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Applies all pending migrations to the local D1 database, or none of them. Throws: an Error, without
 * a change, if the database is older than the first release or a migration fails.
 */
export async function migrateLocally(persistTo: string): Promise<void> {
  const advice =
    `Delete or move the folder ${persistTo} to start with a new database, or name another folder: ` +
    "npm start -- --persist-to <folder>";
  const pending = pendingMigrations(await locallyApplied(persistTo), advice);
  if (pending.length === 0) return;
  // One file, because `wrangler d1 migrations apply` starts the local runtime for each migration.
  const folder = await mkdtemp(path.join(tmpdir(), "feature-flags-migrations-"));
  const file = path.join(folder, "pending.sql");
  try {
    const steps = await Promise.all(pending.map(recorded));
    await writeFile(file, [MIGRATIONS_TABLE, ...steps].join("\n"));
    const where = ["--local", "--persist-to", persistTo];
    await run(
      wrangler(["d1", "execute", BINDING, ...where, "--yes", "--file", file], { CI: "true" }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the SQL of a migration, and of its record in `d1_migrations`. */
async function recorded(name: string): Promise<string> {
  const sql = await readFile(path.join(ROOT, "migrations", name), "utf8");
  return `${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name}');`;
}

/**
 * Creates the remote D1 database if it does not exist, turns on its read replication, and applies
 * the migrations. `wrangler deploy` runs afterwards and binds the Worker to the database by its
 * name. Throws: an Error, without a change, if the database is older than the first release.
 */
export async function prepareDatabase(target: Target): Promise<void> {
  const { config, where } = target;
  const database = config.d1_databases.find(({ binding }) => binding === BINDING);
  const name = database?.database_name;
  if (name === undefined) throw new Error(`wrangler.toml names no database for ${BINDING}`);
  const remote = ["--remote", ...where];
  if (database?.database_id === undefined && !(await exists(name, where)))
    await create(name, where);
  else {
    const applied = await appliedMigrations(remote);
    pendingMigrations(
      applied,
      `Delete the Worker (npx wrangler delete ${where.join(" ")}) and the database ` +
        `(npx wrangler d1 delete ${name} ${where.join(" ")}), set the secrets again, and deploy again.`,
    );
    const warning = olderReleaseWarning(applied);
    if (warning !== undefined) console.warn(warning);
  }
  await ensureReplication(target, name);
  await runOnTerminal(wrangler(["d1", "migrations", "apply", BINDING, ...remote]));
}

async function exists(wanted: string, where: readonly string[]): Promise<boolean> {
  const all = JSON.parse(await run(wrangler(["d1", "list", "--json", ...where])));
  return (all as { name: string }[]).some(({ name }) => name === wanted);
}

/** Creates a D1 database. Without a location option, Cloudflare creates it close to the caller. */
async function create(name: string, where: readonly string[]): Promise<void> {
  await run(wrangler(["d1", "create", name, "--update-config=false", ...where]));
  console.log(`Created the database ${name}`);
}
