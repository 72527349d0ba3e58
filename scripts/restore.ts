import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterRestore } from "./lib/after-restore.ts";
import { readBackupOptions, WHERE_HELP } from "./lib/backup-options.ts";
import { runCommand } from "./lib/command.ts";
import { ROOT, run } from "./lib/processes.ts";
import { tableOf } from "./lib/sql-dump.ts";
import { wrangler } from "./lib/wrangler.ts";

const HELP = `Restores a file of "npm run backup" into an empty database. It refuses a database that has tables, and
changes nothing in it.

  npm run restore -- <file> [--remote --env production]

${WHERE_HELP}

It ends all sessions, tokens and agents, raises all revisions above those that SDKs may know
(scripts/after-restore.sql), closes the open change requests and pauses the ramps
(scripts/after-restore-plans.sql). docs/run/operations.md, Restore a backup, has the details.`;

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'";

await runCommand(HELP, async (args) => {
  const { where, config, state, file: output, positionals } = await readBackupOptions(args);
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0 || output !== undefined)
    throw new Error("Name one file of a backup: npm run restore -- <file>");
  const file = path.resolve(ROOT, named);
  if (!existsSync(file)) throw new Error(`There is no file ${file}; name a file of npm run backup`);
  const tables = await tablesIn(file);
  if (!tables.has("users"))
    throw new Error(`${file} is not a backup of this service: it has no table users`);
  const place = ["--config", config, ...(state === undefined ? [] : ["--persist-to", state])];
  const execute = (...command: readonly string[]) =>
    run(wrangler(["d1", "execute", "DB", ...where, ...place, "--yes", ...command], { CI: "true" }));
  const [{ results }] = JSON.parse(await execute("--json", "--command", TABLES)) as [
    { readonly results: readonly { readonly name: string }[] },
  ];
  if (results.length > 0)
    throw new Error(
      `The database has tables already (${results[0]?.name}, ...), and nothing was changed in it. ` +
        "Restore into a new database (docs/run/operations.md, Restore a backup).",
    );
  // One file, so that the database is restored with its sessions ended, or not at all.
  const folder = await mkdtemp(path.join(tmpdir(), "feature-flags-restore-"));
  const whole = path.join(folder, "restore.sql");
  try {
    await copyFile(file, whole);
    await appendFile(whole, await afterRestore(tables));
    await execute("--file", whole);
  } finally {
    await rm(folder, { recursive: true });
  }
  console.log(
    "Restored. All sessions have ended, all tokens and agents are revoked, and every environment has a new revision.\n" +
      "Open change requests are closed, and ramps are paused until somebody resumes them.\n" +
      "API keys that were deleted since the backup work again: docs/run/operations.md, Restore a backup, says what to do.",
  );
});

/** Returns the names of the tables that a backup creates. */
async function tablesIn(file: string): Promise<ReadonlySet<string>> {
  const tables = new Set<string>();
  const opened = await open(file);
  for await (const line of opened.readLines()) {
    const table = tableOf(line);
    if (table !== undefined) tables.add(table);
  }
  return tables;
}
