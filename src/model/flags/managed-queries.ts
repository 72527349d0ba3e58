import { API_NAMES } from "@feature-flags/file/activation";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { fileManagers, managedFields } from "../../db/schema/files.ts";

/** The fields of a flag, or of its strategy in an environment, that the file of a manager names. */
export interface ManagedBy {
  /** Null: fields of the flag itself. */
  readonly environmentId: number | null;
  readonly manager: string;
  /** The names of the fields in the API. */
  readonly fields: string[];
  /** Where the file of the last apply is kept, and its commit, as the caller of the apply says. */
  readonly repository: string | null;
  readonly commit: string | null;
}

/** Returns which fields of a flag and of its strategies are managed by files: those of the flag first. */
export async function managersOf(
  db: ReadDb,
  { id, projectId }: { readonly id: number; readonly projectId: number },
): Promise<ManagedBy[]> {
  const rows = await db
    .select({
      environmentId: managedFields.environmentId,
      manager: managedFields.manager,
      fields: managedFields.fields,
      repository: fileManagers.repository,
      commit: fileManagers.commit,
    })
    .from(managedFields)
    .innerJoin(
      fileManagers,
      and(
        eq(fileManagers.projectId, managedFields.projectId),
        eq(fileManagers.name, managedFields.manager),
      ),
    )
    .where(
      and(
        eq(managedFields.projectId, projectId),
        inArray(managedFields.kind, ["flag", "strategy"]),
        eq(managedFields.entityId, id),
      ),
    )
    .orderBy(asc(managedFields.environmentId), asc(managedFields.manager));
  return rows
    .map(({ environmentId, manager, fields, repository, commit }) => ({
      environmentId: environmentId === 0 ? null : environmentId,
      manager,
      fields: Object.keys(fields).map((field) => API_NAMES[field] ?? field),
      repository,
      commit,
    }))
    .filter(({ fields }) => fields.length > 0);
}
