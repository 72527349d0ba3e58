import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./processes.ts";

interface BackupOptions {
  /** The arguments by which wrangler finds the database, besides `--config`. */
  readonly where: readonly string[];
  /** The configuration file of wrangler. */
  readonly config: string;
  /** The folder of the local database; undefined with `--remote`. */
  readonly state: string | undefined;
  readonly file: string | undefined;
  readonly positionals: readonly string[];
}

/** What `--help` says about the options that choose the database. */
export const WHERE_HELP = `  --remote --env <name>   the database of an environment of wrangler.toml, at Cloudflare
  --persist-to <folder>   the local database of "npm start -- --persist-to <folder>"
  --config <file>         another wrangler.toml, beside whose .wrangler/state the local database is

Without these options, it is the local database of "npm start".`;

/**
 * Reads the arguments of `npm run backup` and `npm run restore`. Throws: an Error for an unknown
 * argument, an environment that wrangler.toml lacks, or a folder of a database at Cloudflare.
 */
export async function readBackupOptions(args: readonly string[]): Promise<BackupOptions> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      env: { type: "string", short: "e" },
      config: { type: "string", short: "c" },
      remote: { type: "boolean", default: false },
      "persist-to": { type: "string" },
      output: { type: "string" },
    },
  });
  const folder = values["persist-to"];
  if (values.remote && folder !== undefined)
    throw new Error("--persist-to is for a local database; leave it or --remote out");
  // Loaded late, because it takes seconds to load wrangler's own reader of its configuration.
  const { readOptions } = await import("./target.ts");
  const { env } = readOptions(args).target;
  const config = path.resolve(ROOT, values.config ?? "wrangler.toml");
  const beside = path.join(path.dirname(config), ".wrangler/state");
  return {
    where: [values.remote ? "--remote" : "--local", ...(env === undefined ? [] : ["--env", env])],
    config,
    state: values.remote ? undefined : path.resolve(ROOT, folder ?? beside),
    file: values.output,
    positionals,
  };
}

/**
 * Throws: an Error if there is no folder of a local database, because wrangler would create an empty
 * database there.
 */
export function assertStateExists(state: string | undefined): void {
  if (state !== undefined && !existsSync(state))
    throw new Error(
      `There is no local database in ${state}. Name the folder of "npm start" with --persist-to, or use --remote --env <name>.`,
    );
}
