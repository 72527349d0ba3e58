import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { assertMigrationsComplete } from "./lib/drift.ts";
import { breachesOf } from "./lib/migration-rules.ts";
import { ROOT } from "./lib/processes.ts";

/**
 * The migration files that may break the previous release, each with the reason why that is
 * acceptable.
 */
const ALLOWED: Readonly<Record<string, string>> = {
  "0018_oauth.sql":
    "The unique index is on a new column, which the previous release leaves NULL; NULLs are never equal",
};

// Fails when the schema has changes without a migration, or when a migration breaks the previous
// release. This script is a part of `npm run check`.
await assertMigrationsComplete();
const directory = path.join(ROOT, "migrations");
const files = readdirSync(directory).filter((file) => file.endsWith(".sql"));
const errors = files.flatMap((file) => {
  const breaches = breachesOf(readFileSync(path.join(directory, file), "utf8"));
  if (breaches.length > 0 === file in ALLOWED) return [];
  if (breaches.length === 0)
    return [`${file} breaks no rule. Remove its exception from scripts/migrations.ts`];
  return breaches.map(({ statement, reason }) => `${file} ${reason}: ${statement}`);
});
if (errors.length > 0) {
  console.error(
    `${errors.join("\n")}\nThe previous release must work with the new tables: docs/run/operations.md.`,
  );
  process.exitCode = 1;
}
