import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { attempt } from "../../scripts/lib/processes.ts";
import { wrangler } from "../../scripts/lib/wrangler.ts";
import { freePort, Service } from "./support/service.ts";

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const OLDER = `
  CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TIMESTAMP);
  INSERT INTO d1_migrations (name) VALUES ('0000_foundation.sql'), ('0001_people-contexts-audit.sql');
  CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  INSERT INTO projects (name) VALUES ('Shop');`;

/**
 * Returns the schema and the rows of the local databases, without the tables in which the local
 * runtime counts its own accesses.
 */
function contents(): unknown {
  const data = path.join(folder, "v3", "d1");
  const files = readdirSync(data, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".sqlite"))
    .toSorted()
    .map((file) => {
      const database = new DatabaseSync(path.join(data, file));
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

it("npm start ends with an error that says what to do on a database from before the first release, and changes nothing in it", async () => {
  const where = ["--local", "--persist-to", folder];
  // Unsets Vitest's variables, with which wrangler would switch to its own test mode.
  const variables = { NODE_ENV: "development", VITEST: undefined };
  const command = wrangler(["d1", "execute", "DB", ...where, "--command", OLDER], variables);
  const created = await attempt(command);
  expect(created.code).toBe(0);
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
