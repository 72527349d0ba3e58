import { type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import type { EntityType } from "../../db/schema/records.ts";

/** A row that audit records refer to, by the entity type of its own records. */
export interface Reference {
  readonly entityType: string;
  readonly id: number;
}

/** The SQL expression for the name of the row `r.id`, by entity type. */
const NAMES: Readonly<Partial<Record<EntityType, string>>> = {
  flag: "SELECT name FROM flags WHERE id = r.id",
  segment: "SELECT name FROM segments WHERE id = r.id",
  context: "SELECT name FROM context_definitions WHERE id = r.id",
  "context-value": `SELECT d.context_key || ': ' || v.value FROM context_values v
    JOIN context_definitions d ON d.id = v.definition_id WHERE v.id = r.id`,
  environment: "SELECT name FROM environments WHERE id = r.id",
  project: "SELECT name FROM projects WHERE id = r.id",
  tag: "SELECT name FROM tags WHERE id = r.id",
  "shared-filter": "SELECT name FROM shared_filters WHERE id = r.id",
  integration: "SELECT name FROM integrations WHERE id = r.id",
  "api-key": "SELECT name FROM api_keys WHERE id = r.id",
  token: "SELECT name FROM access_tokens WHERE id = r.id",
  "service-account": "SELECT name FROM service_accounts WHERE id = r.id",
  user: "SELECT email FROM users WHERE id = r.id",
};

export const isNamed = (entityType: string): boolean => Object.hasOwn(NAMES, entityType);

const nameOf = (names: Readonly<Record<string, string>>): string =>
  `CASE r.entity_type ${Object.entries(names)
    .map(([entityType, select]) => `WHEN '${entityType}' THEN (${select})`)
    .join(" ")} END`;

const CURRENT_NAME = nameOf(NAMES);

/** Returns the SQL expression for the name in the content of an audit record. */
const nameIn = (content: string): string =>
  `${content} ->> 'contextKey' || ': ' || (${content} ->> 'value'), ${content} ->> 'email', ${content} ->> 'name'`;

/**
 * The SQL expression for the names by which a search finds an audit record `r`: the present name of
 * the row `r.id`, the key of a flag, and the names in the record itself.
 */
export const SEARCHED_NAMES = `concat_ws(char(10),
  ${nameOf({ ...NAMES, flag: "SELECT name || char(10) || key FROM flags WHERE id = r.id" })},
  coalesce(${nameIn("r.after")}), coalesce(${nameIn("r.before")}),
  r.after ->> 'key', r.before ->> 'key')`;

/** The SQL expression for the name of a deleted row: the name in the newest audit record about the row. */
const RECORDED_NAME = `(SELECT coalesce(${nameIn("a.after")}, ${nameIn("a.before")}) FROM audit a
  WHERE a.entity_id = r.id AND a.entity_type = r.entity_type ORDER BY a.at DESC, a.id DESC LIMIT 1)`;

/** Returns the references with their current names. The name of a deleted row is null. */
export const currentNames = (db: ReadDb, references: readonly Reference[]) =>
  named(db, references, CURRENT_NAME);

/** Returns references with the names in the newest audit records about them. */
export const recordedNames = (db: ReadDb, references: readonly Reference[]) =>
  named(db, references, RECORDED_NAME);

function named(db: ReadDb, references: readonly Reference[], name: string) {
  const list = JSON.stringify(references.map(({ entityType, id }) => [entityType, id]));
  const rows: SQL = sql`(SELECT value ->> 0 AS entity_type, value ->> 1 AS id FROM json_each(${list})) r`;
  return db
    .select({
      entityType: sql<string>`r.entity_type`,
      id: sql<number>`r.id`,
      name: sql<string | null>`${sql.raw(name)}`,
      production: sql<0 | 1 | null>`CASE r.entity_type WHEN 'environment' THEN
        (SELECT production FROM environments WHERE id = r.id) END`,
    })
    .from(rows);
}
