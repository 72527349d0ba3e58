import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT, run } from "./processes.ts";

/**
 * Checks that every change of the schema has a migration. `drizzle-kit check` does not check this.
 * So this function generates migrations in a copy of the folder and fails if it gets one. Throws:
 * an Error when a migration is missing.
 */
export async function assertMigrationsComplete(): Promise<void> {
  // Makes the path relative, because drizzle-kit puts "./" before every path.
  const copy = path.relative(ROOT, mkdtempSync(path.join(tmpdir(), "migrations-")));
  try {
    cpSync(path.join(ROOT, "migrations"), copy, { recursive: true });
    const before = migrations(copy);
    const flags = ["--dialect", "sqlite", "--schema", "src/db/schema/*.ts", "--out", copy];
    await run({ script: "drizzle-kit/bin.cjs", args: ["generate", ...flags] });
    if (migrations(copy) !== before)
      throw new Error("The schema has changes without a migration. Run: npm run migration");
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const migrations = (directory: string) =>
  readdirSync(directory).filter((name) => name.endsWith(".sql")).length;
