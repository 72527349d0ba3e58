import { eq } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { environments } from "../../db/schema/projects.ts";

/** Returns the newest revision of each environment of a project, by the id of the environment. */
export async function newestRevisions(
  db: ReadDb,
  projectId: number,
): Promise<ReadonlyMap<number, number>> {
  const { id, revision } = environments;
  const rows = await db
    .select({ id, revision })
    .from(environments)
    .where(eq(environments.projectId, projectId));
  return new Map(rows.map((row) => [row.id, row.revision]));
}
