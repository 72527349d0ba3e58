import { unstable_readConfig as readConfig } from "wrangler";
import { run, runOnTerminal } from "./processes.ts";
import { wrangler } from "./wrangler.ts";

interface Database {
  readonly binding: string;
  readonly database_name?: string;
  readonly database_id?: string;
}

interface Where {
  readonly env?: string | undefined;
  readonly config?: string | undefined;
  /** The arguments for wrangler that say the same, and whose account it is. */
  readonly args: readonly string[];
}

/**
 * Creates the remote database before the first deployment. `wrangler deploy` would do so too, but
 * the migrations come first; it then binds the Worker to the database of that name.
 */
export async function ensureDatabase(binding: string, { env, config, args }: Where): Promise<void> {
  const { d1_databases: databases } = readConfig({ env, config }, { hideWarnings: true }) as {
    d1_databases: readonly Database[];
  };
  const database = databases.find((item) => item.binding === binding);
  const name = database?.database_name;
  if (name === undefined || database?.database_id !== undefined) return;
  const existing = JSON.parse(await run(wrangler(["d1", "list", "--json", ...args]))) as {
    name: string;
  }[];
  if (existing.some((item) => item.name === name)) return;
  await runOnTerminal(wrangler(["d1", "create", name, "--update-config=false", ...args]));
}
