import { createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { assertStateExists, readBackupOptions, WHERE_HELP } from "./lib/backup-options.ts";
import { runCommand } from "./lib/command.ts";
import { ROOT, run } from "./lib/processes.ts";
import { splitInsert, statementsIn, tableOf } from "./lib/sql-dump.ts";
import { wrangler } from "./lib/wrangler.ts";

const HELP = `Writes the whole database to a file of SQL, which "npm run restore" reads.

  npm run backup -- [--output <file>] [--remote --env production]

  --output <file>         the file; without it, backup-<date>.sql
${WHERE_HELP}

docs/run/operations.md, Backups, has the details.`;

/** A table that every database of the service has. */
const NEEDED = "users";

await runCommand(HELP, async (args) => {
  const options = await readBackupOptions(args);
  const { where, state, positionals } = options;
  const { file = `backup-${new Date().toISOString().slice(0, 10)}.sql` } = options;
  if (positionals.length > 0)
    throw new Error(`Name the file with --output: npm run backup -- --output ${positionals[0]}`);
  const output = path.resolve(ROOT, file);
  if (existsSync(output)) throw new Error(`${output} exists; name another file with --output`);
  assertStateExists(state);
  const folder = await mkdtemp(path.join(tmpdir(), "feature-flags-backup-"));
  try {
    const dump = path.join(folder, "dump.sql");
    const config =
      state === undefined ? options.config : await configBeside(state, options, folder);
    const command = ["d1", "export", "DB", ...where, "--config", config, "--output", dump];
    await run(wrangler(command, { CI: "true" }));
    const rows = await write(dump, output);
    console.log(`Wrote ${rows} rows to ${output}. The file is as secret as the database.`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/**
 * Copies the configuration to an empty folder, and links the local database where wrangler looks for it:
 * `d1 export` has no `--persist-to`. Returns the path of the copy.
 */
async function configBeside(state: string, { config }: { config: string }, folder: string) {
  const copy = path.join(folder, "wrangler.toml");
  await copyFile(config, copy);
  await mkdir(path.join(folder, ".wrangler"));
  await symlink(state, path.join(folder, ".wrangler/state"), "junction");
  return copy;
}

/**
 * Writes the statements of a dump in the order in which they can be restored. Returns the number of rows.
 * Throws: an Error if the dump has no tables of the service; then it leaves no file.
 */
async function write(dump: string, output: string): Promise<number> {
  const backup = await open(output, "wx", 0o600);
  const line = (statement: string) => backup.write(`${statement}\n`);
  let rows = 0;
  try {
    await line("PRAGMA defer_foreign_keys=TRUE;");
    // A row can refer to a table that the dump creates later, so the tables come first. Indexes come
    // last, because a long value is restored in parts, which need not be JSON.
    const after: string[] = [];
    const tables = new Set<string | undefined>();
    for await (const statement of statementsOf(dump)) {
      tables.add(tableOf(statement));
      if (/^CREATE (?:UNIQUE )?INDEX/.test(statement)) after.push(statement);
      else if (statement.startsWith("CREATE")) await line(statement);
    }
    if (!tables.has(NEEDED))
      throw new Error(
        `The database has no table ${NEEDED}, so it is not a database of this service, and nothing was written. ` +
          'Name the database with --remote --env <name>, or with the --persist-to of "npm start".',
      );
    // Inserting the rows makes entries in this table, which has no key to replace them by.
    after.push("DELETE FROM sqlite_sequence;");
    for await (const statement of statementsOf(dump)) {
      if (!statement.startsWith("INSERT")) continue;
      rows += 1;
      if (statement.startsWith('INSERT INTO "sqlite_sequence"')) after.push(statement);
      else for (const part of splitInsert(statement)) await line(part);
    }
    for (const statement of after) await line(statement);
    return rows;
  } catch (error) {
    await rm(output);
    throw error;
  } finally {
    await backup.close();
  }
}

function statementsOf(dump: string): AsyncGenerator<string> {
  return statementsIn(createInterface({ input: createReadStream(dump), crlfDelay: Infinity }));
}
