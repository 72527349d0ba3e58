import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";

import { chunked, jsonBytes } from "../../src/core/lib/chunks.ts";
import { type FixtureFlag, SEGMENT, segmentConstraints } from "./fixtures.ts";
import { inOrder } from "../lib/in-order.ts";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The number of flags in a delta response. */
const CHANGED_FLAGS = 10;

/** The most bytes of JSON in a statement. D1 allows 2 MB. */
const MAX_STATEMENT_BYTES = 1_000_000;

/**
 * The time of the last changes of rules, epoch milliseconds: one hour ago. Everything else is a day
 * older.
 */
export const CHANGED_AT = Date.now() - 3_600_000;
const CREATED_AT = CHANGED_AT - 86_400_000;

/** Returns the SERVER key of an environment. The numbers of environments start at 1. */
export const keyOf = (environment: number): string => `bench-${environment}-`.padEnd(64, "k");

const hashOf = (key: string) => createHash("sha256").update(key).digest("base64url");

export async function migrate(db: Database, root: string): Promise<void> {
  const folder = join(root, "migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const statements = files.flatMap((sql) => sql.split("--> statement-breakpoint"));
  await db.batch(statements.map((sql) => db.prepare(sql)));
}

/**
 * Fills the database with one project, its flags, and `environments` environments with the same
 * rules and one API key each.
 */
export async function seed(
  db: Database,
  flags: readonly FixtureFlag[],
  environments: number,
): Promise<void> {
  const numbers = Array.from({ length: environments }, (_, index) => index + 1);
  const keys = numbers.map((id) => ({ id, name: `env-${id}`, hash: hashOf(keyOf(id)) }));
  const run = (sql: string, ...values: unknown[]) => db.prepare(sql).bind(...values);
  await db.batch([
    run(
      `INSERT INTO projects (id, name, created_at, updated_at) VALUES (1, 'bench', ?1, ?1)`,
      CREATED_AT,
    ),
    run(
      `INSERT INTO segments (id, project_id, name, constraints, created_at, updated_at)
       VALUES (1, 1, ?1, ?2, ?3, ?3)`,
      SEGMENT,
      JSON.stringify(segmentConstraints),
      CREATED_AT,
    ),
    run(
      `INSERT INTO environments (id, project_id, name, revision, changed_at, created_at, updated_at)
       SELECT value ->> 'id', 1, value ->> 'name', ?2, ?3, ?4, ?4 FROM json_each(?1)`,
      JSON.stringify(keys),
      CHANGED_FLAGS + 1,
      CHANGED_AT,
      CREATED_AT,
    ),
    run(
      `INSERT INTO api_keys (environment_id, name, key_type, hash, preview, created_at)
       SELECT value ->> 'id', value ->> 'name', 'SERVER', value ->> 'hash', 'bench', ?2
       FROM json_each(?1)`,
      JSON.stringify(keys),
      CREATED_AT,
    ),
    run(
      `INSERT INTO flags (project_id, key, name, flag_type, created_at, updated_at)
       SELECT 1, value ->> 'key', value ->> 'name', 'RELEASE', ?2, ?2 FROM json_each(?1)`,
      JSON.stringify(flags.map(({ key, name }) => ({ key, name }))),
      CREATED_AT,
    ),
    ...chunksOf(withValues(flags)).map((chunk) => run(SET_VALUES, JSON.stringify(chunk))),
  ]);
  // Writes one environment per batch, because D1 limits the size of a statement.
  await inOrder(numbers, (id) => db.batch(environmentRules(db, flags, id)));
}

// Sets the columns of values in a later statement, because the database of an older checkout has
// none of these columns. MATERIALIZED makes SQLite parse the JSON once, instead of once per flag.
const GIVEN = `WITH given AS MATERIALIZED (SELECT f.id, item.value FROM json_each(?1) item
  CROSS JOIN flags f ON f.project_id = 1 AND f.key = item.value ->> 'key')`;
const SET_VALUES = `${GIVEN} UPDATE flags SET value_type = given.value ->> 'valueType',
    variants = given.value -> 'variants', off_variant = given.value ->> 'offVariant'
  FROM given WHERE flags.id = given.id`;
const SET_RULES = `${GIVEN} UPDATE strategies SET serve = given.value -> 'serve',
    rules = given.value -> 'rules'
  FROM given WHERE flag_id = given.id AND environment_id = ?2`;

const withValues = (flags: readonly FixtureFlag[]) =>
  flags.flatMap(({ key, values }) => (values ? [{ key, ...values }] : []));

/** Splits the flags into chunks for one statement each, because D1 limits a value to 2 MB. */
const chunksOf = <T>(items: readonly T[]): readonly T[][] =>
  chunked(items, jsonBytes, { size: MAX_STATEMENT_BYTES });

function environmentRules(db: Database, flags: readonly FixtureFlag[], id: number) {
  const rows = flags.map(({ key, enabled, percentage, constraints, segment }) => ({
    key,
    enabled,
    percentage,
    segment,
    constraints: JSON.stringify(constraints),
  }));
  const changed = flags.slice(0, CHANGED_FLAGS).map(({ key, name }) => ({ key, name }));
  return [
    db
      .prepare(
        `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, updated_at)
         SELECT f.id, ?2, value ->> 'enabled', value ->> 'percentage', value ->> 'constraints', ?3
         FROM json_each(?1) CROSS JOIN flags f ON f.project_id = 1 AND f.key = value ->> 'key'`,
      )
      .bind(JSON.stringify(rows), id, CREATED_AT),
    ...chunksOf(withValues(flags)).map((chunk) =>
      db.prepare(SET_RULES).bind(JSON.stringify(chunk), id),
    ),
    db
      .prepare(
        `INSERT INTO strategy_segments (flag_id, environment_id, segment_id, position)
         SELECT f.id, ?2, 1, 0
         FROM json_each(?1) CROSS JOIN flags f ON f.project_id = 1 AND f.key = value ->> 'key'
         WHERE value ->> 'segment' IS NOT NULL`,
      )
      .bind(JSON.stringify(rows), id),
    db
      .prepare(
        `INSERT INTO rule_changes (environment_id, flag_key, flag_name, revision, changed_at)
         SELECT ?2, value ->> 'key', value ->> 'name', "key" + 2, ?3 FROM json_each(?1)`,
      )
      .bind(JSON.stringify(changed), id, CHANGED_AT),
  ];
}
