import { asc, or, type SQL, sql } from "drizzle-orm";
import type { ReadDb } from "../db/database.ts";
import { fromJson, inList } from "../db/json-list.ts";
import { flags, projects } from "../db/schema/projects.ts";
import type { FlagState, LinkedFlag } from "../model/flags/flag-state.ts";
import { columnsWithTags } from "../model/flags/queries.ts";
import { inIds } from "../db/ids.ts";
import type { TagRow } from "../model/tags/queries.ts";
import type { ProjectState, Table } from "./plan/state.ts";

/** A project with its tags that operations name. */
export interface ProjectWithTags extends ProjectState {
  readonly tags: readonly TagRow[];
}

const TABLES: readonly Table[] = ["flags", "segments", "tags", "context_definitions", "ramps"];

/** Returns the SQL expression for a project `p` with its tags of these names, as JSON. */
const projectJson = (tagNames: readonly string[]): SQL<ProjectWithTags> => {
  const lastIds = TABLES.map(
    (table) => `'${table}', coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0)`,
  );
  return fromJson(sql<ProjectWithTags>`json_object('id', p.id, 'staleDays', p.stale_days,
    'newFlagClients', p.new_flag_clients,
    'lastIds', json_object(${sql.raw(lastIds.join(", "))}),
    'tags', (SELECT json_group_array(json_object('id', t.id, 'projectId', t.project_id,
        'name', t.name, 'color', t.color, 'version', t.version, 'createdAt', t.created_at))
      FROM tags t WHERE t.project_id = p.id AND t.name IN ${inList(tagNames)}))`);
};

/** Returns a project with its tags of these names. `id` is an SQL expression. */
export async function findProject(
  db: ReadDb,
  id: SQL,
  tagNames: readonly string[],
): Promise<ProjectWithTags | undefined> {
  const [row] = await db
    .select({ project: projectJson(tagNames) })
    .from(sql`${projects} p`)
    .where(sql`p.id = ${id}`);
  return row?.project;
}

/** Returns the SQL expression for the flags at the other end of a flag's prerequisites, as JSON. */
const linkedFlags = (mine: string, other: string) =>
  fromJson(
    sql<readonly LinkedFlag[]>`${sql.raw(`(SELECT json_group_array(json_object('key', key,
      'archived', json(iif(archived, 'true', 'false'))))
    FROM (SELECT l.key, l.archived FROM flag_prerequisites p JOIN flags l ON l.id = p.${other}
      WHERE p.${mine} = flags.id ORDER BY l.key))`)}`,
  );

const isOnSomewhere = sql<boolean>`EXISTS (SELECT 1 FROM strategies s
  WHERE s.flag_id = flags.id AND s.enabled = 1)`.mapWith(Boolean);

interface FlagRefs {
  readonly ids: readonly number[];
  readonly keys: readonly string[];
  /** The project of the keys. Undefined: the project of the first id. */
  readonly projectId: number | undefined;
  /** The names of the tags that are read with the project of the flags. Undefined: no project. */
  readonly tagNames?: readonly string[] | undefined;
  /** Whether to read the flags that each flag requires. Default: false. */
  readonly withRequired?: boolean;
}

/** Returns the flags with these ids, and the flags of a project with these keys. */
export async function findFlagStates(
  db: ReadDb,
  { ids, keys, projectId, tagNames, withRequired = false }: FlagRefs,
): Promise<{ readonly flags: FlagState[]; readonly project: ProjectWithTags | undefined }> {
  if (ids.length === 0 && keys.length === 0) return { flags: [], project: undefined };
  const { enabled: _, requiredBy: _also, ...columns } = columnsWithTags;
  const inProject = sql`(SELECT ${projectJson(tagNames ?? [])} FROM projects p WHERE p.id = flags.project_id)`;
  // Reads the project once, with the first flag. If this flag is unknown, the plan refuses it.
  const home =
    ids[0] === undefined ? inProject : sql`iif(flags.id = ${ids[0]}, ${inProject}, NULL)`;
  const rows = await db
    .select({
      ...columns,
      isOnSomewhere,
      requires: withRequired
        ? linkedFlags("flag_id", "required_flag_id")
        : fromJson(sql<readonly LinkedFlag[]>`'[]'`),
      dependents: linkedFlags("required_flag_id", "flag_id"),
      project: tagNames ? sql<string | null>`${home}` : sql<null>`NULL`,
    })
    .from(flags)
    .where(
      or(
        ids.length > 0 ? inIds(flags.id, ids) : undefined,
        keys.length > 0
          ? sql`${flags.projectId} = ${projectId ?? projectOf(ids)} AND ${flags.key} IN ${inList(keys)}`
          : undefined,
      ),
    )
    .orderBy(asc(flags.id));
  const text = rows.find((row) => row.project !== null)?.project;
  return {
    flags: rows.map(({ project: __, ...row }) =>
      Object.assign(row, {
        enabled: !row.archived && row.isOnSomewhere,
        requiredBy: row.dependents.flatMap(({ key, archived }) => (archived ? [] : key)),
      }),
    ),
    project: typeof text === "string" ? (JSON.parse(text) as ProjectWithTags) : undefined,
  };
}

const projectOf = ([id = 0]: readonly number[]) =>
  sql`(SELECT home.project_id FROM flags home WHERE home.id = ${id})`;
