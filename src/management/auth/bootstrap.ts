import { conflict } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { log } from "../../http/log.ts";
import type { ManagementDeps } from "../deps.ts";
import { hashPassword, passwordError } from "./password.ts";
import * as queries from "./queries.ts";
import type { UserRow } from "./queries.ts";

/** Creates the first administrator, if there is none yet (decisions 3.10). */
export async function bootstrapAdministrator(deps: ManagementDeps): Promise<UserRow | undefined> {
  const { bootstrap } = deps;
  if (!bootstrap) return undefined;
  const error = passwordError(bootstrap.password, bootstrap.email);
  if (error !== undefined) {
    log("ERROR", "app.auth", `BOOTSTRAP_ADMIN_PASSWORD ${error}`, {
      traceId: deps.request.traceId,
    });
    return undefined;
  }
  const now = deps.now();
  const { email } = bootstrap;
  const exists = conflict("There is an administrator already");
  const passwordHash = await hashPassword(bootstrap.password);
  try {
    await deps.commit(
      { kind: "system", name: "bootstrap" },
      {
        guards: [{ holds: queries.noAdministrator, error: exists }],
        statements: [
          queries.insertUser({
            email,
            name: email.split("@")[0] ?? email,
            role: "ADMIN",
            status: "ACTIVE",
            passwordHash,
            createdAt: now,
          }),
        ],
        audit: aboutUser("user.created", queries.userIdByEmail(email), {
          after: { email, role: "ADMIN" },
        }),
        onDuplicate: exists,
      },
    );
  } catch (error) {
    // Another request was first, or somebody else is administrator: the look-up below decides.
    if (error !== exists) throw error;
  }
  return queries.findUserByEmail(deps.db, email);
}
