import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import type { FlagClients } from "../../core/flags/variants.ts";
import type { ReadDb } from "../../db/database.ts";
import {
  contextDefinitions,
  contextValues,
  environments,
  flags,
  projects,
  segments,
  tags,
} from "../../db/schema/projects.ts";
import { inList } from "../../db/json-list.ts";
import { columnsWithTags } from "../flags/queries.ts";
import { inIds } from "../../db/ids.ts";
import { expectFits } from "../../db/list-bytes.ts";
import { setStrategiesOf } from "../strategies/queries.ts";

/**
 * The most bytes of flags, strategies and segments that an export or a plan reads. Twice the largest
 * body of a request, because the database also has the defaults.
 */
const MAX_PROJECT_BYTES = 16_000_000;

const flagColumns = {
  id: flags.id,
  projectId: flags.projectId,
  key: flags.key,
  name: flags.name,
  description: flags.description,
  flagType: flags.flagType,
  valueType: flags.valueType,
  variants: columnsWithTags.variants,
  offVariant: flags.offVariant,
  valueSchema: flags.valueSchema,
  clients: flags.clients,
  archived: flags.archived,
  version: flags.version,
  attachedTags: columnsWithTags.attachedTags,
  prerequisites: columnsWithTags.prerequisites,
};

/** A project with the name that its file has. */
export interface ProjectOfFile {
  readonly projectId: number;
  readonly name: string;
}

export async function findProject(
  db: ReadDb,
  id: number,
): Promise<(ProjectOfFile & { readonly newFlagClients: FlagClients }) | undefined> {
  const rows = await db
    .select({
      projectId: projects.id,
      name: projects.name,
      newFlagClients: projects.newFlagClients,
    })
    .from(projects)
    .where(eq(projects.id, id));
  return rows[0];
}

/** All that a file can have of a project, as read from the database. */
export type ProjectContent = Awaited<ReturnType<typeof findContent>>;
export type FlagOfFile = ProjectContent["flags"][number];

/** The ids of the only flags, segments and contexts that are read. */
interface Only {
  readonly flags: readonly number[];
  readonly segments: readonly number[];
  readonly contexts: readonly number[];
}

/**
 * Returns all that a file can have of a project, or only some of it. Throws: 400 if that is more than
 * `MAX_PROJECT_BYTES`.
 */
export async function findContent(db: ReadDb, project: ProjectOfFile, only?: Only) {
  const { projectId } = project;
  const ofProject = (table: typeof flags | typeof segments, ids: readonly number[] | undefined) =>
    and(eq(table.projectId, projectId), ids && inIds(table.id, ids));
  const ofContexts = and(
    eq(contextDefinitions.projectId, projectId),
    only && inIds(contextDefinitions.id, only.contexts),
  );
  await expectFits(
    db,
    bytesOf(projectId, only),
    "the project is too large for one file",
    MAX_PROJECT_BYTES,
  );
  const [flagRows, environmentRows, segmentRows, tagRows, contextRows, values] = await Promise.all([
    db.select(flagColumns).from(flags).where(ofProject(flags, only?.flags)).orderBy(asc(flags.id)),
    db
      .select({ id: environments.id, name: environments.name })
      .from(environments)
      .where(eq(environments.projectId, projectId))
      .orderBy(asc(environments.id)),
    db.select().from(segments).where(ofProject(segments, only?.segments)).orderBy(asc(segments.id)),
    db.select().from(tags).where(eq(tags.projectId, projectId)).orderBy(asc(tags.id)),
    db.select().from(contextDefinitions).where(ofContexts).orderBy(asc(contextDefinitions.id)),
    db
      .select({
        id: contextValues.id,
        definitionId: contextValues.definitionId,
        value: contextValues.value,
        description: contextValues.description,
      })
      .from(contextValues)
      .innerJoin(contextDefinitions, eq(contextDefinitions.id, contextValues.definitionId))
      .where(ofContexts)
      .orderBy(asc(contextValues.id)),
  ]);
  // Without the strategies that nobody has set, of which there can be 250,000.
  const strategies = await setStrategiesOf(db, flagRows);
  return {
    project,
    flags: flagRows.map(
      (flag): typeof flag & { prerequisites: readonly FlagPrerequisite[] } => flag,
    ),
    environments: environmentRows,
    segments: segmentRows,
    tags: tagRows,
    contexts: contextRows,
    values,
    strategies,
  };
}

/** Returns the SQL expression for the size of what `findContent` reads, bytes. */
function bytesOf(projectId: number, only: Only | undefined): SQL {
  const among = (id: string, ids: readonly number[] | undefined) =>
    ids ? sql` AND ${sql.raw(id)} IN ${inList(ids)}` : sql``;
  return sql`(
    (SELECT coalesce(sum(octet_length(name) + coalesce(octet_length(description), 0)
        + coalesce(octet_length(variants), 0) + coalesce(octet_length(value_schema), 0)), 0)
      FROM flags WHERE project_id = ${projectId}${among("id", only?.flags)})
    + (SELECT coalesce(sum(octet_length(s.constraints) + coalesce(octet_length(s.rules), 0)), 0)
      FROM strategies s JOIN flags f ON f.id = s.flag_id
      WHERE f.project_id = ${projectId}${among("f.id", only?.flags)})
    + (SELECT coalesce(sum(octet_length(constraints)), 0)
      FROM segments WHERE project_id = ${projectId}${among("id", only?.segments)})
    + (SELECT coalesce(sum(octet_length(v.value) + coalesce(octet_length(v.description), 0)), 0)
      FROM context_values v JOIN context_definitions d ON d.id = v.definition_id
      WHERE d.project_id = ${projectId}${among("d.id", only?.contexts)}))`;
}

export const findSegmentNames = (db: ReadDb, projectId: number) =>
  db
    .select({ id: segments.id, name: segments.name })
    .from(segments)
    .where(eq(segments.projectId, projectId));
