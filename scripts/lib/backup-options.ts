import { parseArgs } from "node:util";
import { readOptions } from "./target.ts";

interface BackupOptions {
  /** The arguments by which wrangler finds the database. */
  readonly where: readonly string[];
  readonly file: string | undefined;
  readonly positionals: readonly string[];
}

/**
 * Reads the arguments of `npm run backup` and `npm run restore`. Throws: an Error for an unknown
 * argument or an environment that wrangler.toml lacks.
 */
export function readBackupOptions(argv: readonly string[]): BackupOptions {
  const args = argv[0] === "--" ? argv.slice(1) : [...argv];
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      env: { type: "string", short: "e" },
      config: { type: "string", short: "c" },
      remote: { type: "boolean", default: false },
      output: { type: "string" },
    },
  });
  const { target } = readOptions(args);
  const where = [values.remote ? "--remote" : "--local", ...target.where];
  return { where, file: values.output, positionals };
}
