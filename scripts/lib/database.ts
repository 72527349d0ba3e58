import { run, runOnTerminal } from "./processes.ts";
import { ensureReplication } from "./replication.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

const BINDING = "DB";

/**
 * Creates the remote D1 database if it does not exist, turns on its read replication, and applies
 * the migrations. `wrangler deploy` runs afterwards and binds the Worker to the database by its
 * name.
 */
export async function prepareDatabase(target: Target): Promise<void> {
  const { config, where } = target;
  const database = config.d1_databases.find(({ binding }) => binding === BINDING);
  const name = database?.database_name;
  if (name === undefined) throw new Error(`wrangler.toml names no database for ${BINDING}`);
  if (database?.database_id === undefined && !(await exists(name, where)))
    await create(name, where);
  await ensureReplication(target, name);
  await runOnTerminal(wrangler(["d1", "migrations", "apply", BINDING, "--remote", ...where]));
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
