import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readBackupOptions } from "../../scripts/lib/backup-options.ts";
import { attempt } from "../../scripts/lib/processes.ts";

const run = (file: string, ...args: readonly string[]) => attempt({ script: `../${file}`, args });

const STACK = /^ {4}at |node:internal/m;

describe("a command of package.json", () => {
  it.each([
    ["scripts/backup.ts", "--persist-to <folder>"],
    ["scripts/restore.ts", "npm run restore -- <file>"],
    ["scripts/release.ts", "npm run release -- <version>"],
    ["scripts/release-before.ts", "npm run release-before -- <commit>"],
    ["scripts/start.mjs", "--persist-to <folder>"],
  ])("prints its arguments with --help and does nothing else: %s", async (file, part) => {
    const { code, output, errors } = await run(file, "--", "--help");
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toContain(part);
  });

  it.each([
    [
      "scripts/backup.ts",
      ["--persist", "x"],
      "Unknown option '--persist'; --help lists the options",
    ],
    [
      "scripts/backup.ts",
      ["--remote", "--persist-to", "x"],
      "--persist-to is for a local database",
    ],
    ["scripts/backup.ts", ["--persist-to", "/nowhere"], "There is no local database in /nowhere"],
    ["scripts/restore.ts", ["package.json"], "is not a backup of this service"],
    ["scripts/restore.ts", ["--forse", "b.sql"], "Unknown option '--forse'"],
    ["scripts/release.ts", ["--dry-run"], "A version has three numbers"],
    ["scripts/release.ts", [], "Name one version"],
    ["scripts/release-before.ts", ["--force"], "Name one commit"],
    ["measure/reading-test.ts", ["--seed"], "The seed is one whole number"],
  ])("says what is wrong, without a stack, and exits with 1: %s %j", async (file, args, text) => {
    const { code, output, errors } = await run(file, ...args);
    expect(code).toBe(1);
    expect(errors).toContain(text);
    expect(`${output}${errors}`).not.toMatch(STACK);
  });
});

describe("npm run backup and npm run restore", () => {
  it("take the folder of a local database with --persist-to, relative to the checkout", async () => {
    const { state } = await readBackupOptions(["--persist-to", "elsewhere"]);
    expect(state).toBe(path.resolve("elsewhere"));
    expect((await readBackupOptions([])).state).toBe(path.resolve(".wrangler/state"));
    const remote = await readBackupOptions(["--remote", "--env", "production"]);
    expect(remote).toMatchObject({ state: undefined, where: ["--remote", "--env", "production"] });
    await expect(readBackupOptions(["--env", "stagin"])).rejects.toThrow("no environment stagin");
  });

  it("refuse an empty file as a backup, and a database without tables, of which they write no backup", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const file = path.join(folder, "backup.sql");
    const backup = await run("scripts/backup.ts", "--persist-to", folder, "--output", file);
    expect([backup.code, existsSync(file)]).toEqual([1, false]);
    expect(backup.errors).toContain("The database has no table users");
    writeFileSync(file, "PRAGMA defer_foreign_keys=TRUE;\n");
    const restore = await run("scripts/restore.ts", file, "--persist-to", folder);
    expect(restore).toMatchObject({ code: 1, errors: expect.stringContaining("is not a backup") });
  });
});
