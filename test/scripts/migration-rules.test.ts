import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { breachesOf } from "../../scripts/lib/migration-rules.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

describe("breachesOf reports that a migration breaks the previous release when the migration", () => {
  it.each([
    ["drops a table", "DROP TABLE `flags`;"],
    ["drops a column", "ALTER TABLE `flags` DROP COLUMN `name`;"],
    ["renames", "ALTER TABLE `flags` RENAME COLUMN `name` TO `title`;"],
    ["renames", "alter table flags\n  rename to switches"],
    ["adds a column that old code leaves out", "ALTER TABLE `flags` ADD `owner` text NOT NULL;"],
    ["refuses rows that old code writes", "CREATE UNIQUE INDEX `once` ON `flags` (`name`);"],
  ])("%s", (reason, sql) => {
    const among = `CREATE INDEX a ON b (c);--> statement-breakpoint\n${sql}`;
    expect(breachesOf(among)).toEqual([{ reason, statement: expect.any(String) as string }]);
  });

  it("rebuilds a table, because the rebuild drops the old table", () => {
    const rebuild =
      "CREATE TABLE `__new_flags` (`id` integer);\nINSERT INTO `__new_flags` SELECT id FROM flags;\n" +
      "DROP TABLE `flags`;\nALTER TABLE `__new_flags` RENAME TO `flags`;";
    expect(breachesOf(rebuild).map(({ reason }) => reason)).toEqual(["drops a table"]);
  });
});

describe("breachesOf reports nothing when a migration", () => {
  it.each([
    [
      "adds a table and its unique index",
      "CREATE TABLE `t` (a);\nCREATE UNIQUE INDEX i ON `t` (a);",
    ],
    ["adds a column that may be null", "ALTER TABLE `flags` ADD `owner` text;"],
    ["adds a column with a default", "ALTER TABLE `flags` ADD `owner` text DEFAULT '' NOT NULL;"],
    ["drops an index", "DROP INDEX `flags_name`;"],
    ["mentions DROP TABLE only in a comment", "-- DROP TABLE flags;\nCREATE INDEX a ON b (c);"],
  ])("%s", (_, sql) => {
    expect(breachesOf(sql)).toEqual([]);
  });
});

it("the migrations create the tables of usage without a rowid, which drizzle-kit does not generate", () => {
  const folder = path.join(ROOT, "migrations");
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  const database = new DatabaseSync(":memory:");
  for (const file of files.toSorted()) database.exec(readFileSync(path.join(folder, file), "utf8"));
  const tables = database.prepare("SELECT name FROM pragma_table_list WHERE wr = 1 ORDER BY name");
  expect(tables.all().map(({ name }) => name)).toEqual([
    "app_usage",
    "usage_hours",
    "usage_writes",
  ]);
});
