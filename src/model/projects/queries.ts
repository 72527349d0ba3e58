import { asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import {
  apiKeys,
  deletedPrivateProjects,
  environments,
  projects,
} from "../../db/schema/projects.ts";
import { type ActorKind, audit } from "../../db/schema/records.ts";
import { countIf } from "../../db/counts.ts";
import { isListed, isVisible, type Listed, type Visible } from "../../db/project-filter.ts";
import { sees } from "./member-queries.ts";

export type ProjectRow = typeof projects.$inferSelect;

/** The fields of a project that users set. */
export type ProjectContent = Pick<
  ProjectRow,
  "name" | "description" | "staleDays" | "newFlagClients" | "visibility"
>;

export async function findProject(db: ReadDb, id: number): Promise<ProjectRow | undefined> {
  return (await db.select().from(projects).where(eq(projects.id, id)))[0];
}

export async function findProjectByName(db: ReadDb, name: string): Promise<ProjectRow | undefined> {
  return (await db.select().from(projects).where(eq(projects.name, name)))[0];
}

/** Who changed something in a project last, and when. */
interface LastProjectEditor {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: ActorKind;
  readonly id: number | null;
  /**
   * The present name of a user, or the e-mail address if the user was deleted. Null if the caller
   * may not see it.
   */
  readonly name: string | null;
}

/** A project in a list. The counts and the last change are null if the list was not counted. */
export interface ListedProject extends ProjectRow {
  readonly flagCount: number | null;
  readonly environmentCount: number | null;
  readonly memberCount: number | null;
  readonly lastChange: LastProjectEditor | null;
}

/** The number of flags of a project that are not archived. */
const FLAG_COUNT = "SELECT count(*) FROM flags WHERE project_id = projects.id AND archived = 0";

const ENVIRONMENT_COUNT = "SELECT count(*) FROM environments WHERE project_id = projects.id";

const MEMBER_COUNT = "SELECT count(*) FROM project_members WHERE project_id = projects.id";

/** The newest audit record of a project that users without special rights may see. */
const LAST_CHANGE =
  sql<LastProjectEditor | null>`(SELECT json_object('at', a.at, 'kind', a.actor_kind,
    'id', a.actor_id, 'name', coalesce(u.name, a.actor_name))
  FROM audit a LEFT JOIN users u ON a.actor_kind = 'user' AND u.id = a.actor_id
  WHERE a.project_id = projects.id AND a.category = 'change'
  ORDER BY a.at DESC, a.id DESC LIMIT 1)`.mapWith(
    (json: string) => JSON.parse(json) as LastProjectEditor,
  );

export function listProjects(
  db: ReadDb,
  listed: Listed,
  counts: boolean,
): Promise<ListedProject[]> {
  const columns = {
    ...getTableColumns(projects),
    flagCount: countIf(counts, FLAG_COUNT),
    environmentCount: countIf(counts, ENVIRONMENT_COUNT),
    memberCount: countIf(counts, MEMBER_COUNT),
    lastChange: counts ? LAST_CHANGE : sql<null>`NULL`,
  };
  return db
    .select(columns)
    .from(projects)
    .where(isListed(projects.id, listed))
    .orderBy(asc(projects.id));
}

export async function findProjectWithEnvironments(db: ReadDb, id: number) {
  const environmentIds = sql<number[]>`(SELECT json_group_array(${environments.id})
    FROM ${environments} WHERE ${environments.projectId} = ${id})`.mapWith(
    (text: string) => JSON.parse(text) as number[],
  );
  const rows = await db
    .select({ ...getTableColumns(projects), environmentIds })
    .from(projects)
    .where(eq(projects.id, id));
  return rows[0];
}

/** Returns the ids of at most two projects. One id means that the actor sees exactly one project. */
export async function someProjectIds(db: ReadDb, visible: Visible): Promise<number[]> {
  const where = isVisible(projects.id, visible);
  const rows = await db.select({ id: projects.id }).from(projects).where(where).limit(2);
  return rows.map((row) => row.id);
}

export const countProjects = sql`SELECT count(*) FROM ${projects}`;

export const projectIdByName = (name: string) =>
  sql`(SELECT id FROM ${projects} WHERE ${projects.name} = ${name})`;

export const projectExists = (id: number) =>
  sql`EXISTS (SELECT 1 FROM ${projects} WHERE ${projects.id} = ${id})`;

/** Guard: fails if an environment of the project has an API key. */
export const projectHasNoKeys = (id: number) =>
  sql`NOT EXISTS (SELECT 1 FROM ${apiKeys} JOIN ${environments}
    ON ${environments.id} = ${apiKeys.environmentId} WHERE ${environments.projectId} = ${id})`;

export const insertProject = (project: typeof projects.$inferInsert) =>
  write.insert(projects).values(project);

export const updateProject = (id: number, change: ProjectContent & Pick<ProjectRow, "updatedAt">) =>
  write
    .update(projects)
    .set({ ...change, version: sql`${projects.version} + 1` })
    .where(eq(projects.id, id));

/** Remembers the id of a private project that is being deleted. */
export const rememberPrivate = (id: number) => write.insert(deletedPrivateProjects).values({ id });

export const deleteProject = (id: number) => write.delete(projects).where(eq(projects.id, id));

/**
 * Returns the newest audit record of a project, and whether the user may see the project. Each change
 * of the project has a record. Undefined as the user: an API key, which sees its project.
 */
export const findNewestChange = (db: ReadDb, projectId: number, userId: number | undefined) =>
  db
    .select({
      change: audit.id,
      at: audit.at,
      isVisible: sql<boolean>`${
        userId === undefined
          ? sql`1`
          : sql`EXISTS (SELECT 1 FROM users u
            WHERE u.id = ${userId} AND ${sql.raw(sees("audit.project_id"))})`
      }`.mapWith(Boolean),
    })
    .from(audit)
    .where(eq(audit.projectId, projectId))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1)
    .get();
