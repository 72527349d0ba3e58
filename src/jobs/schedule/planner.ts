import type { Actor } from "@feature-flags/permissions/permissions";
import { and, eq } from "drizzle-orm";
import type { ReadDb } from "../../db/database.ts";
import { users } from "../../db/schema/people.ts";
import { apiKeys, environments } from "../../db/schema/projects.ts";
import type { ActorKind } from "../../db/schema/records.ts";

/**
 * Returns who has planned a change, with the rights of now. Undefined: the user is not active any more,
 * or the API key was revoked.
 */
export async function findPlanner(
  db: ReadDb,
  kind: ActorKind,
  id: number | null,
): Promise<Actor | undefined> {
  if (id === null) return undefined;
  if (kind === "key") {
    const [key] = await db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        keyType: apiKeys.keyType,
        canWrite: apiKeys.canWrite,
        environmentId: apiKeys.environmentId,
        projectId: environments.projectId,
      })
      .from(apiKeys)
      .innerJoin(environments, eq(environments.id, apiKeys.environmentId))
      .where(eq(apiKeys.id, id));
    return key && { kind, ...key };
  }
  const [user] = await db
    .select({ id: users.id, email: users.email, role: users.role })
    .from(users)
    .where(and(eq(users.id, id), eq(users.status, "ACTIVE")));
  // A second factor that is overdue concerns sign-ins, and not what the user has planned before.
  const session = { sessionId: undefined, projectId: undefined, mfaOverdue: false };
  return user && { kind: "user", ...user, ...session };
}
