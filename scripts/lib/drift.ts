import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT, run } from "./processes.ts";

/**
 * Errors: the schema says more than the migrations. `drizzle-kit check` does not look at that, so a
 * migration is generated into a copy: nothing must come of it.
 */
export async function assertMigrationsComplete(): Promise<void> {
  // Relative, because drizzle-kit puts "./" before what it is given.
  const copy = path.relative(ROOT, mkdtempSync(path.join(tmpdir(), "migrations-")));
  try {
    cpSync(path.join(ROOT, "migrations"), copy, { recursive: true });
    const before = migrations(copy);
    const flags = ["--dialect", "sqlite", "--schema", "src/db/schema/*.ts", "--out", copy];
    await run({ script: "drizzle-kit/bin.cjs", args: ["generate", ...flags] });
    if (migrations(copy) !== before)
      throw new Error("The schema has changes without a migration: npm run migration");
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const migrations = (directory: string) =>
  readdirSync(directory).filter((name) => name.endsWith(".sql")).length;
