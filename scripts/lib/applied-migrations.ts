import { readdirSync } from "node:fs";
import path from "node:path";
import { attempt, ROOT } from "./processes.ts";
import { wrangler } from "./wrangler.ts";

const ownMigrations = (): readonly string[] =>
  readdirSync(path.join(ROOT, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .toSorted();

/**
 * Returns whether a database has all migrations of this checkout. Only reads. `where`: the
 * arguments by which wrangler finds the database. Throws: an Error with `advice` if the database
 * was created with other migrations, and wrangler's errors. Accepts a database of a newer release,
 * because its first migration is the same.
 */
export async function isMigrated(where: readonly string[], advice: string): Promise<boolean> {
  const applied = await appliedMigrations(where);
  const own = ownMigrations();
  const [first] = own;
  if (applied.length > 0 && first !== undefined && !applied.includes(first))
    throw new Error(
      `The database has the migrations of a version before the first release (${applied[0]}, ...). ` +
        `This version cannot use it, and has changed nothing in it.\n${advice}`,
    );
  return own.every((name) => applied.includes(name));
}

async function appliedMigrations(where: readonly string[]): Promise<readonly string[]> {
  const select = ["--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const { code, output, errors } = await attempt(
    wrangler(["d1", "execute", "DB", ...where, ...select]),
  );
  if (code === 0) {
    const [{ results }] = JSON.parse(output) as [{ readonly results: { readonly name: string }[] }];
    return results.map(({ name }) => name);
  }
  if (`${output}${errors}`.includes("no such table: d1_migrations")) return [];
  throw new Error(`wrangler d1 execute failed (${code})\n${output}${errors}`);
}
