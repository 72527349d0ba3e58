/**
 * Writes the whole database to a file of SQL, which `npm run restore` reads.
 *
 * Usage: npm run backup -- [--remote --env production] [--output backup.sql]
 *
 * Without `--remote`, it reads the local database of `npm start`. `--config` names another
 * `wrangler.toml`, beside whose `.wrangler/state` the local database is.
 */
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { ROOT, run } from "./lib/processes.ts";
import { splitInsert, statementsIn } from "./lib/sql-dump.ts";
import { readBackupOptions } from "./lib/backup-options.ts";
import { wrangler } from "./lib/wrangler.ts";

const { where, file = `backup-${new Date().toISOString().slice(0, 10)}.sql` } = readBackupOptions(
  process.argv.slice(2),
);
const output = path.resolve(ROOT, file);
if (existsSync(output)) throw new Error(`${output} exists; name another file with --output`);

const folder = await mkdtemp(path.join(tmpdir(), "feature-flags-backup-"));
const backup = await open(output, "wx", 0o600);
let rows = 0;
try {
  const dump = path.join(folder, "dump.sql");
  await run(wrangler(["d1", "export", "DB", ...where, "--output", dump], { CI: "true" }));
  const write = (statement: string) => backup.write(`${statement}\n`);
  await write("PRAGMA defer_foreign_keys=TRUE;");
  // A row can refer to a table that the dump creates later, so the tables come first. Indexes come
  // last, because a long value is restored in parts, which need not be JSON.
  const after: string[] = [];
  for await (const statement of statementsOf(dump))
    if (/^CREATE (?:UNIQUE )?INDEX/.test(statement)) after.push(statement);
    else if (statement.startsWith("CREATE")) await write(statement);
  // Inserting the rows makes entries in this table, which has no key to replace them by.
  after.push("DELETE FROM sqlite_sequence;");
  for await (const statement of statementsOf(dump)) {
    if (!statement.startsWith("INSERT")) continue;
    rows += 1;
    if (statement.startsWith('INSERT INTO "sqlite_sequence"')) after.push(statement);
    else for (const part of splitInsert(statement)) await write(part);
  }
  for (const statement of after) await write(statement);
} catch (error) {
  await rm(output);
  throw error;
} finally {
  await backup.close();
  await rm(folder, { recursive: true });
}
console.log(`Wrote ${rows} rows to ${output}. The file is as secret as the database.`);

function statementsOf(dump: string): AsyncGenerator<string> {
  return statementsIn(createInterface({ input: createReadStream(dump), crlfDelay: Infinity }));
}
