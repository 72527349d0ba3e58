import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it, vi } from "vitest";
import { migrateLocally } from "../../scripts/lib/database.ts";
import { attempt } from "../../scripts/lib/processes.ts";
import { wrangler } from "../../scripts/lib/wrangler.ts";
import { freePort, Service } from "./support/service.ts";

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const MIGRATIONS = readdirSync("migrations").filter((file) => file.endsWith(".sql"));
const [FIRST = ""] = MIGRATIONS;

/** A database with the first migration only. */
const OLDER = `
  CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP);
  INSERT INTO d1_migrations (name) VALUES ('${FIRST}');
  ${readFileSync(`migrations/${FIRST}`, "utf8")}
  INSERT INTO projects (name, created_at, updated_at) VALUES ('Shop', 1, 1);`;

/** Returns the files of the local databases. */
function databases(): string[] {
  const data = path.join(folder, "v3", "d1");
  return readdirSync(data, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sqlite"))
    .toSorted()
    .map((file) => path.join(data, file));
}

/** Runs a statement on the local database of the service. Returns its rows. */
function onDatabase(sql: string): unknown[] {
  const file = databases().find((one) => !one.endsWith("metadata.sqlite")) ?? "";
  const database = new DatabaseSync(file);
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

/**
 * Returns the schema and the rows of the local databases, without the tables in which the local
 * runtime counts its own accesses.
 */
function contents(): unknown {
  return databases().map((file) => {
    const database = new DatabaseSync(file);
    const schema = database
      .prepare("SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*'")
      .all();
    const rows = schema
      .filter(({ type }) => type === "table")
      .map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
    database.close();
    return { file, schema, rows };
  });
}

it("the start applies the migrations that a database lacks, and keeps its rows", async () => {
  // Unsets Vitest's variables, with which wrangler would switch to its own test mode.
  vi.stubEnv("NODE_ENV", "development");
  vi.stubEnv("VITEST", undefined);
  const where = ["--local", "--persist-to", folder, "--command", OLDER];
  expect(await attempt(wrangler(["d1", "execute", "DB", ...where]))).toMatchObject({ code: 0 });
  await migrateLocally(folder);
  vi.unstubAllEnvs();
  expect(onDatabase("SELECT name FROM d1_migrations ORDER BY id")).toEqual(
    MIGRATIONS.map((name) => ({ name })),
  );
  expect(onDatabase("SELECT name FROM projects")).toEqual([{ name: "Shop" }]);
});

it("npm start ends with an error that says what to do on a database from before the first release, and changes nothing in it", async () => {
  onDatabase(`UPDATE d1_migrations SET name = '0000_foundation.sql' WHERE name = '${FIRST}'`);
  const before = contents();
  expect(JSON.stringify(before)).toContain("Shop");
  const service = new Service(`--port=${await freePort()}`, "--persist-to", folder);
  expect(await service.ended()).toBe(1);
  expect(service.output).toContain("before the first release (0000_foundation.sql, ...)");
  expect(service.output).toContain("has changed nothing in it");
  expect(service.output).toContain(`Delete or move the folder ${folder}`);
  expect(service.output).toContain("npm start -- --persist-to <folder>");
  expect(contents()).toEqual(before);
});
