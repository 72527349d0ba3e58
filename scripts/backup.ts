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
  const schema = path.join(folder, "schema.sql");
  const data = path.join(folder, "data.sql");
  const exported = (what: string, to: string) =>
    run(wrangler(["d1", "export", "DB", ...where, what, "--output", to], { CI: "true" }));
  await exported("--no-data", schema);
  await exported("--no-schema", data);
  const write = (statement: string) => backup.write(`${statement}\n`);
  await write("PRAGMA defer_foreign_keys=TRUE;");
  // Indexes come last, because a long value is restored in parts, which need not be JSON.
  const indexes: string[] = [];
  for await (const statement of statementsOf(schema))
    if (/^CREATE (?:UNIQUE )?INDEX/.test(statement)) indexes.push(statement);
    else if (!statement.startsWith("PRAGMA")) await write(statement);
  let hasSequences = false;
  for await (const statement of statementsOf(data)) {
    if (statement.startsWith("PRAGMA")) continue;
    // The rows above have made entries in this table, which has no key to replace them by.
    if (!hasSequences && statement.startsWith('INSERT INTO "sqlite_sequence"')) {
      await write("DELETE FROM sqlite_sequence;");
      hasSequences = true;
    }
    rows += 1;
    for (const part of splitInsert(statement)) await write(part);
  }
  for (const index of indexes) await write(index);
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
