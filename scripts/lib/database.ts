import { existsSync } from "node:fs";
import path from "node:path";
import { isMigrated } from "./applied-migrations.ts";
import { run, runOnTerminal } from "./processes.ts";
import { ensureReplication } from "./replication.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

const BINDING = "DB";

/**
 * Applies the pending migrations to the local D1 database. Throws: an Error, without a change, if the
 * database is older than the first release.
 */
export async function migrateLocally(persistTo: string): Promise<void> {
  const where = ["--local", "--persist-to", persistTo];
  const advice =
    `Delete or move the folder ${persistTo} to start with a new database, or name another folder: ` +
    "npm start -- --persist-to <folder>";
  // Skips the check, which takes a second, for a folder without a database.
  if (existsSync(path.join(persistTo, "v3", "d1")) && (await isMigrated(where, advice))) return;
  await run(wrangler(["d1", "migrations", "apply", BINDING, ...where], { CI: "true" }));
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
  else
    await isMigrated(
      remote,
      `Delete the Worker (npx wrangler delete ${where.join(" ")}) and the database ` +
        `(npx wrangler d1 delete ${name} ${where.join(" ")}), set the secrets again, and deploy again.`,
    );
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
