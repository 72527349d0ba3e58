import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { RampState } from "../../core/ramps/ramp.ts";
import { actorName } from "../../db/audit.ts";
import { type ReadDb, write } from "../../db/database.ts";
import { inList } from "../../db/json-list.ts";
import { environments, flags, strategies } from "../../db/schema/projects.ts";
import { IS_ACTIVE, ramps } from "../../db/schema/ramps.ts";
import { isListed, type Listed } from "../../db/project-filter.ts";

/** A ramp with what its readers see of its flag and its environment. */
export type RampRow = Awaited<ReturnType<typeof findRamp>> & {};

/** A ramp that starts, before its id of the starter and its approvals are known. */
export interface NewRamp
  extends
    Pick<
      RampRow,
      | "id"
      | "projectId"
      | "flagId"
      | "environmentId"
      | "ruleId"
      | "steps"
      | "step"
      | "state"
      | "before"
      | "strategyVersion"
      | "minEvaluations"
      | "stopAction"
      | "stopHash"
      | "changeRequestId"
      | "stepAt"
      | "nextAt"
      | "createdAt"
      | "updatedAt"
      | "endedAt"
    >,
    Names {}

export interface Names {
  readonly flagKey: string;
  readonly flagName: string;
  readonly environmentName: string;
}

/** The condition of the index `ramps_active`. */
export const isActive = sql.raw(`"ramps".${IS_ACTIVE}`);

const isChanged = sql`coalesce(${strategies.version}, 0) <> ${ramps.strategyVersion}`;

/** Why an active ramp cannot go on. The service writes that down later. */
const obstacle = sql<"changed" | "archived" | null>`CASE WHEN NOT (${isActive}) THEN NULL
  WHEN ${flags.archived} = 1 THEN 'archived' WHEN ${isChanged} THEN 'changed' END`;

const columns = {
  ...getTableColumns(ramps),
  flagKey: flags.key,
  flagName: flags.name,
  environmentName: environments.name,
  requiredApprovals: environments.requiredApprovals,
  obstacle,
};

const selected = (db: ReadDb) =>
  db
    .select(columns)
    .from(ramps)
    .innerJoin(flags, eq(flags.id, ramps.flagId))
    .innerJoin(environments, eq(environments.id, ramps.environmentId))
    .leftJoin(
      strategies,
      and(eq(strategies.flagId, ramps.flagId), eq(strategies.environmentId, ramps.environmentId)),
    )
    .$dynamic();

export async function findRamp(db: ReadDb, id: number) {
  return (await selected(db).where(eq(ramps.id, id)))[0];
}

export async function findRampByStopHash(db: ReadDb, hash: string) {
  return (await selected(db).where(eq(ramps.stopHash, hash)))[0];
}

export const findActiveRamps = (
  db: ReadDb,
  pairs: readonly { readonly flagId: number; readonly environmentId: number }[],
) =>
  selected(db).where(
    sql`${isActive} AND (${ramps.flagId}, ${ramps.environmentId}) IN (
      SELECT value ->> 'flagId', value ->> 'environmentId' FROM json_each(${JSON.stringify(pairs)}))`,
  );

/** Returns active ramps that cannot go on. */
export const findObstructed = (db: ReadDb, limit: number) =>
  selected(db)
    .where(sql`${isActive} AND ${obstacle} IS NOT NULL`)
    // This order makes SQLite read the index of the active ramps.
    .orderBy(ramps.flagId, ramps.environmentId)
    .limit(limit);

/** The state by which a list filters: one state, or all in which a ramp can go on. */
export type StateFilter = RampState | "active";

interface RampFilter {
  readonly listed: Listed;
  readonly flagId: number | undefined;
  readonly state: StateFilter | undefined;
}

/** Returns a page of ramps, the newest first, and how many match the filter. */
export async function listRamps(
  db: ReadDb,
  { listed, flagId, state }: RampFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly items: RampRow[]; readonly total: number }> {
  const condition = and(
    isListed(ramps.projectId, listed),
    flagId === undefined ? undefined : eq(ramps.flagId, flagId),
    state === undefined ? undefined : isInState(state),
  );
  const rows = await selected(db)
    .where(condition)
    .orderBy(desc(ramps.id))
    .limit(limit)
    .offset(offset);
  const [counted] = await db
    .select({ total: sql<number>`count(*)` })
    .from(ramps)
    .innerJoin(flags, eq(flags.id, ramps.flagId))
    .leftJoin(
      strategies,
      and(eq(strategies.flagId, ramps.flagId), eq(strategies.environmentId, ramps.environmentId)),
    )
    .where(condition);
  return { items: rows, total: counted?.total ?? 0 };
}

function isInState(state: StateFilter): SQL {
  if (state === "active") return sql`${isActive} AND ${obstacle} IS NULL`;
  if (state === "stopped") return sql`(${ramps.state} = 'stopped' OR ${obstacle} IS NOT NULL)`;
  return sql`${ramps.state} = ${state} AND ${obstacle} IS NULL`;
}

/** The most active ramps of a project. */
export const MAX_ACTIVE = 100;

export const countActive = (projectId: number): SQL =>
  sql`SELECT count(*) FROM ramps WHERE project_id = ${projectId} AND ${isActive}`;

/** Condition: nobody has moved the ramp since it was read. */
export const isAsRead = ({ id, state, step, updatedAt }: RampRow): SQL =>
  sql`EXISTS (SELECT 1 FROM ramps WHERE id = ${id} AND state = ${state} AND step = ${step}
    AND updated_at = ${updatedAt})`;

/** Condition: the start of the ramp had so many approvals. */
export const hasApprovals = (id: number, required: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ramps WHERE id = ${id} AND approvals >= ${required})`;

export const updateRamp = (id: number, change: Partial<typeof ramps.$inferInsert>) =>
  write.update(ramps).set(change).where(eq(ramps.id, id));

/** Returns the columns of the actor in whose name the service executes the steps of a ramp. */
export const starterColumns = (actor: Actor) => ({
  starterKind: actor.kind,
  starterId: actor.kind === "system" ? null : actor.id,
  starterName: actorName(actor),
});

/**
 * The statement that records how many approvals the environments of new ramps require. The actor who
 * starts a ramp has these approvals, or needs none.
 */
export const recordApprovals = (ids: readonly number[]): SQL =>
  sql`UPDATE ramps SET approvals = (SELECT required_approvals FROM environments e
    WHERE e.id = environment_id) WHERE id IN ${inList(ids)}`;
