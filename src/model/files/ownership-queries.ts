import type { Pausing } from "@feature-flags/evaluation/pausing";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { ConditionGuard } from "../../db/guards.ts";
import type { ReadDb } from "../../db/database.ts";
import { jsonChunkSteps } from "../../db/json-list.ts";
import { fileManagers, managedFields } from "../../db/schema/files.ts";
import { audit } from "../../db/schema/records.ts";
import { insertRows } from "../../db/rows.ts";
import { staleRow } from "../optimistic-update.ts";

/** The fields of one resource that one manager owns. */
export type ManagedRow = Omit<typeof managedFields.$inferSelect, "projectId">;

/** The owners of the fields of a project. */
export interface Ownership {
  readonly rows: readonly ManagedRow[];
  readonly managers: readonly string[];
  /** How often files were applied to the project. */
  readonly applies: number;
}

export async function findOwnership(db: ReadDb, projectId: number): Promise<Ownership> {
  const [managers, rows] = await Promise.all([
    db
      .select({ name: fileManagers.name, applies: fileManagers.applies })
      .from(fileManagers)
      .where(eq(fileManagers.projectId, projectId)),
    db.select().from(managedFields).where(eq(managedFields.projectId, projectId)),
  ]);
  return {
    rows,
    managers: managers.map(({ name }) => name),
    applies: managers.reduce((sum, { applies }) => sum + applies, 0),
  };
}

/** A plan that was applied. `fileDigest`: of the file, if its other changes wait for an approval. */
interface AppliedPlan {
  readonly planId: string;
  readonly fileDigest: string | null;
}

/** Returns the plan that was applied to a project last. Undefined: there was no apply. */
export async function lastApplied(db: ReadDb, projectId: number): Promise<AppliedPlan | undefined> {
  const rows = await db
    .select({
      planId: sql<string>`${audit.after} ->> 'planId'`,
      fileDigest: sql<string | null>`${audit.after} ->> 'fileDigest'`,
    })
    .from(audit)
    .where(
      and(
        eq(audit.entityId, projectId),
        eq(audit.entityType, "project"),
        eq(audit.action, "project.applied"),
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1);
  return rows[0];
}

/** Guard: fails if another file was applied to the project since its ownership was read. */
export const sameApplies = (projectId: number, { applies }: Ownership): ConditionGuard => ({
  holds: sql`coalesce((SELECT sum(applies) FROM ${fileManagers} WHERE project_id = ${projectId}), 0)
    = ${applies}`,
  error: staleRow,
});

/** Returns the statement that counts an apply of a manager. */
export const countApply = (
  apply: Omit<typeof fileManagers.$inferInsert, "applies">,
): SQL => sql`INSERT INTO ${fileManagers}
    (project_id, name, applies, plan_id, repository, commit_id, applied_by, applied_at)
  VALUES (${apply.projectId}, ${apply.name}, 1, ${apply.planId}, ${apply.repository ?? null},
    ${apply.commit ?? null}, ${apply.appliedBy}, ${apply.appliedAt})
  ON CONFLICT (project_id, name) DO UPDATE SET applies = applies + 1, plan_id = excluded.plan_id,
    repository = excluded.repository, commit_id = excluded.commit_id,
    applied_by = excluded.applied_by, applied_at = excluded.applied_at`;

/** Returns the statements that replace rows: they delete some, and then insert others. */
export function* replaceManaged(
  projectId: number,
  {
    deleted,
    inserted,
  }: { readonly deleted: readonly ManagedRow[]; readonly inserted: readonly ManagedRow[] },
): Pausing<SQL[]> {
  const keys = deleted
    .values()
    .map(({ kind, entityId, environmentId, manager }) => [kind, entityId, environmentId, manager]);
  const deletions = (yield* jsonChunkSteps(keys)).map(
    (chunk) => sql`DELETE FROM ${managedFields} WHERE project_id = ${projectId}
      AND (kind, entity_id, environment_id, manager) IN (SELECT value ->> 0, value ->> 1,
        value ->> 2, value ->> 3 FROM json_each(${chunk}))`,
  );
  return [
    ...deletions,
    ...(yield* insertRows(managedFields, inserted, (row) => ({ projectId, ...row }))),
  ];
}
