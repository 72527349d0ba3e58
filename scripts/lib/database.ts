import { run, runOnTerminal } from "./processes.ts";
import { ensureReplication } from "./replication.ts";
import type { Target } from "./target.ts";
import { wrangler } from "./wrangler.ts";

const BINDING = "DB";

/**
 * Brings the remote database to the schema of this release. `wrangler deploy` would create it too, but
 * the migrations come first; it then binds the Worker to the database of that name.
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

/** Where nobody says otherwise, near whoever deploys first. */
async function create(name: string, where: readonly string[]): Promise<void> {
  await run(wrangler(["d1", "create", name, "--update-config=false", ...where]));
  console.log(`Created the database ${name}`);
}
