/**
 * Restores a backup of `npm run backup` into an empty database. Ends all sessions, raises all revisions
 * above those that SDKs may know (scripts/after-restore.sql), and stops what was planned
 * (scripts/after-restore-plans.sql). Refuses a database that has
 * tables, and changes nothing in it.
 *
 * Usage: npm run restore -- <file> [--remote --env production]
 */
import { existsSync } from "node:fs";
import { appendFile, copyFile, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { readBackupOptions } from "./lib/backup-options.ts";
import { ROOT, run } from "./lib/processes.ts";
import { wrangler } from "./lib/wrangler.ts";

const { where, positionals } = readBackupOptions(process.argv.slice(2));
const [named] = positionals;
if (named === undefined) throw new Error("Name the file of the backup: npm run restore -- <file>");
const file = path.resolve(ROOT, named);
if (!existsSync(file)) throw new Error(`There is no file ${file}`);

const execute = (...args: readonly string[]) =>
  run(wrangler(["d1", "execute", "DB", ...where, "--yes", ...args], { CI: "true" }));

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'";
const [{ results }] = JSON.parse(await execute("--json", "--command", TABLES)) as [
  { readonly results: readonly { readonly name: string }[] },
];
if (results.length > 0)
  throw new Error(
    `The database has tables already (${results[0]?.name}, ...), and nothing was changed in it. ` +
      "Restore into a new database (docs/operations.md, Restore a backup).",
  );
/** Whether the release that has made the backup could plan changes. */
async function hasPlans(): Promise<boolean> {
  const opened = await open(file);
  for await (const line of opened.readLines()) if (/^CREATE TABLE .ramps\b/.test(line)) return true;
  return false;
}

// One file, so that the database is restored with its sessions ended, or not at all.
const folder = await mkdtemp(path.join(tmpdir(), "feature-flags-restore-"));
const whole = path.join(folder, "restore.sql");
try {
  await copyFile(file, whole);
  await appendFile(whole, await readFile(path.join(ROOT, "scripts/after-restore.sql")));
  if (await hasPlans())
    await appendFile(whole, await readFile(path.join(ROOT, "scripts/after-restore-plans.sql")));
  await execute("--file", whole);
} finally {
  await rm(folder, { recursive: true });
}
console.log(
  "Restored. All sessions have ended, and every environment has a new revision.\n" +
    "Scheduled change requests are blocked, and ramps are paused, until somebody schedules or resumes them.",
);
