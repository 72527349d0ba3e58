import { asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { ruleBytes } from "../../db/rule-bytes.ts";
import { apiKeys, environments, flags } from "../../db/schema/projects.ts";
import { usageHours } from "../../db/schema/usage.ts";
import { countIf } from "../../db/counts.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

export type EnvironmentRow = typeof environments.$inferSelect;

/** The fields of an environment that users set. */
export type EnvironmentContent = Pick<EnvironmentRow, "name" | "production">;

export async function findEnvironment(db: ReadDb, id: number): Promise<EnvironmentRow | undefined> {
  return (await db.select().from(environments).where(eq(environments.id, id)))[0];
}

export interface MeasuredEnvironment extends EnvironmentRow {
  readonly ruleBytes: number;
}

/** An environment in a list. The counts are null if the list was not counted. */
export interface ListedEnvironment extends MeasuredEnvironment {
  readonly flagsOn: number | null;
  readonly apiKeyCount: number | null;
}

const measured = {
  ...getTableColumns(environments),
  ruleBytes: ruleBytes(sql.raw("environments.id")),
};

const findMeasured = async (db: ReadDb, where: SQL): Promise<MeasuredEnvironment | undefined> =>
  (await db.select(measured).from(environments).where(where))[0];

export const findMeasuredEnvironment = (db: ReadDb, id: number) =>
  findMeasured(db, eq(environments.id, id));

export const findEnvironmentByName = (db: ReadDb, projectId: number, name: string) =>
  findMeasured(
    db,
    sql`${environments.projectId} = ${projectId} AND ${environments.name} = ${name}`,
  );

export const environmentsOf = (db: ReadDb, listed: Listed) =>
  db
    .select({ id: environments.id })
    .from(environments)
    .where(isListed(environments.projectId, listed));

/** The number of flags that are on in an environment, without archived flags. */
const FLAGS_ON = `SELECT count(*) FROM strategies s JOIN flags f ON f.id = s.flag_id
  WHERE s.environment_id = environments.id AND s.enabled = 1 AND f.archived = 0`;

const API_KEY_COUNT = `SELECT count(*) FROM api_keys WHERE environment_id = environments.id`;

export function listEnvironments(db: ReadDb, listed: Listed, counts: boolean) {
  const columns = {
    ...measured,
    flagsOn: countIf(counts, FLAGS_ON),
    apiKeyCount: countIf(counts, API_KEY_COUNT),
  };
  return db
    .select(columns)
    .from(environments)
    .where(isListed(environments.projectId, listed))
    .orderBy(asc(environments.id));
}

export const countEnvironments = (projectId: number) =>
  sql`SELECT count(*) FROM ${environments} WHERE ${environments.projectId} = ${projectId}`;

export const environmentIdByName = (projectId: number, name: string) =>
  sql`(SELECT id FROM environments WHERE project_id = ${projectId} AND name = ${name})`;

export const environmentHasNoKeys = (id: number) =>
  sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE ${apiKeys.environmentId} = ${id})`;

export const insertEnvironment = (environment: typeof environments.$inferInsert) =>
  write.insert(environments).values(environment);

/**
 * Returns the statement that records every rule of a new environment as changed, so that the first
 * delta response contains all rules.
 */
export const recordEveryRule = (projectId: number, name: string) =>
  sql`INSERT INTO rule_changes (environment_id, flag_key, flag_name, revision, changed_at)
    SELECT e.id, f.key, f.name, e.revision, e.changed_at
    FROM environments e JOIN flags f ON f.project_id = e.project_id
    WHERE e.project_id = ${projectId} AND e.name = ${name}`;

export const updateEnvironment = (id: number, content: EnvironmentContent, updatedAt: number) =>
  write
    .update(environments)
    .set({ ...content, updatedAt, version: sql`${environments.version} + 1` })
    .where(eq(environments.id, id));

export const deleteEnvironment = (id: number) =>
  write.delete(environments).where(eq(environments.id, id));

/**
 * Deletes the hourly usage of an environment. The table has no foreign key to the environment, and
 * the rows are found by the flags of the project.
 */
export const deleteUsageHours = ({ id, projectId }: EnvironmentRow) =>
  write
    .delete(usageHours)
    .where(
      sql`environment_id = ${id} AND flag_id IN (SELECT id FROM ${flags} WHERE project_id = ${projectId})`,
    );
