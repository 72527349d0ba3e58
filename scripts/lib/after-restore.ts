import { readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./processes.ts";

/** The table without which a release could plan nothing. */
const PLANS = "ramps";

/**
 * Returns the SQL that runs after the rows of a backup are restored. It leaves out the statements on tables
 * that the release of the backup did not have.
 */
export async function afterRestore(tables: ReadonlySet<string>): Promise<string> {
  const files = ["after-restore.sql", ...(tables.has(PLANS) ? ["after-restore-plans.sql"] : [])];
  const texts = await Promise.all(
    files.map((file) => readFile(path.join(ROOT, "scripts", file), "utf8")),
  );
  return texts
    .join("\n")
    .replaceAll(/^--.*$/gm, "")
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => {
      const table = /^(?:UPDATE|INSERT INTO|DELETE FROM) (\w+)/.exec(statement)?.[1] ?? "";
      return tables.has(table) || table === "sqlite_sequence";
    })
    .map((statement) => `${statement};\n`)
    .join("");
}
