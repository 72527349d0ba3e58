import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/processes.ts";

const MIGRATION = "0015_production-environments.sql";

it("the migration marks existing environments as production by the words that their names start with", () => {
  const directory = path.join(ROOT, "migrations");
  const database = new DatabaseSync(":memory:");
  const migrate = (name: string) => database.exec(readFileSync(path.join(directory, name), "utf8"));
  const earlier = readdirSync(directory).filter(
    (file) => file.endsWith(".sql") && file < MIGRATION,
  );
  for (const file of earlier.toSorted()) migrate(file);
  database.exec("INSERT INTO projects (id, name, created_at, updated_at) VALUES (1, 'p', 0, 0)");
  const insert = database.prepare(
    "INSERT INTO environments (project_id, name, changed_at, created_at, updated_at) VALUES (1, ?, 0, 0, 0)",
  );
  const production = ["Production", "prod", "live", "production-eu", "PROD (EU)", "live.us"];
  const other = [
    "development",
    "staging",
    "eu-production",
    "products",
    "prod_eu",
    "liver",
    "prod1",
  ];
  for (const name of [...production, ...other]) insert.run(name);

  migrate(MIGRATION);

  const names = (marked: 0 | 1) =>
    database
      .prepare("SELECT name FROM environments WHERE production = ? ORDER BY id")
      .all(marked)
      .map(({ name }) => name);
  expect(names(1)).toEqual(production);
  expect(names(0)).toEqual(other);
});
