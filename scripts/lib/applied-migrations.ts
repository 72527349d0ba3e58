import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { attempt, ROOT } from "./processes.ts";
import { wrangler } from "./wrangler.ts";

const SELECT = "SELECT name FROM d1_migrations ORDER BY id";
/** SQLite's error for a database without migrations. */
const NO_TABLE = "no such table: d1_migrations";

const ownMigrations = (): readonly string[] =>
  readdirSync(path.join(ROOT, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .toSorted();

/**
 * Returns the migrations of this checkout that a database lacks, in their order. `applied`: the
 * migrations of the database. Throws: an Error with `advice` if the database was created with other
 * migrations. Accepts a database of a newer release, because its first migration is the same.
 */
export function pendingMigrations(applied: readonly string[], advice: string): readonly string[] {
  const own = ownMigrations();
  const [first] = own;
  if (applied.length > 0 && first !== undefined && !applied.includes(first))
    throw new Error(
      `The database has the migrations of a version before the first release (${applied[0]}, ...). ` +
        `This version cannot use it, and has changed nothing in it.\n${advice}`,
    );
  return own.filter((name) => !applied.includes(name));
}

/**
 * Returns what to tell a person who goes back to this release while the database is of a newer one;
 * undefined if it is not. `applied`: the migrations of the database.
 */
export function olderReleaseWarning(applied: readonly string[]): string | undefined {
  const own = ownMigrations();
  const newer = applied.filter((name) => !own.includes(name));
  if (newer.length === 0) return undefined;
  return (
    `Warning: the database is of a newer release (${newer.join(", ")}). This release does not know what ` +
    "that one has added. It does not enforce a protection or a private project that it does not know, " +
    "shows browsers the flags that they must not get if it does not know `clients`, and does not make changes that it cannot plan. Read CHANGELOG.md of the newer release before people go on working."
  );
}

/**
 * Returns the migrations that a database has. Only reads. `where`: the arguments by which wrangler
 * finds the database. Throws: an Error with wrangler's output.
 */
export async function appliedMigrations(where: readonly string[]): Promise<readonly string[]> {
  const { code, output, errors } = await attempt(
    wrangler(["d1", "execute", "DB", ...where, "--json", "--command", SELECT]),
  );
  if (code === 0) {
    const [{ results }] = JSON.parse(output) as [
      { readonly results: readonly { readonly name: string }[] },
    ];
    return results.map(({ name }) => name);
  }
  if (`${output}${errors}`.includes(NO_TABLE)) return [];
  throw new Error(`wrangler d1 execute failed (${code})\n${output}${errors}`);
}

/**
 * Returns the migrations that the local database in a folder has; an empty list without a database.
 * Only reads. Throws: an Error of SQLite or wrangler.
 */
export async function locallyApplied(persistTo: string): Promise<readonly string[]> {
  const [file, ...others] = localDatabases(persistTo);
  if (file === undefined) return [];
  // Asks wrangler which of several databases is the one of this configuration.
  if (others.length > 0) return appliedMigrations(["--local", "--persist-to", persistTo]);
  // Reads the file itself, because wrangler takes several seconds.
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(SELECT)
      .all()
      .map(({ name }) => String(name));
  } catch (error) {
    if (error instanceof Error && error.message.includes(NO_TABLE)) return [];
    throw error;
  } finally {
    database.close();
  }
}

/** Returns the files of the local D1 databases in a folder. */
function localDatabases(persistTo: string): readonly string[] {
  const folder = path.join(persistTo, "v3", "d1", "miniflare-D1DatabaseObject");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => path.join(folder, name));
}
