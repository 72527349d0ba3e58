import { conflict } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import { log } from "../../http/log.ts";
import { asSystem, type Visitor } from "../../access/call.ts";
import { type DeriveKey, hashPassword, passwordError } from "../../access/password.ts";
import * as queries from "../../model/auth/queries.ts";

/**
 * Creates the administrator of BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD, unless an administrator
 * with a password exists. Does nothing if the configured password is missing or not allowed.
 */
export async function bootstrapAdministrator(ctx: Visitor, derive: DeriveKey): Promise<void> {
  const { bootstrap } = ctx;
  if (!bootstrap) return;
  const reason = passwordError(bootstrap.password, bootstrap.email);
  if (reason !== undefined) {
    const { traceId } = ctx.request;
    log("ERROR", "app.auth", `BOOTSTRAP_ADMIN_PASSWORD ${reason}`, { traceId });
    return;
  }
  const now = ctx.now();
  const { email } = bootstrap;
  const exists = conflict("An administrator already exists");
  const passwordHash = await hashPassword(derive, bootstrap.password);
  try {
    await asSystem(ctx, "bootstrap").commit({
      guards: [{ holds: queries.noAdministrator, error: exists }],
      statements: [
        queries.insertUser({
          email,
          name: email.split("@")[0] ?? email,
          role: "ADMIN",
          status: "ACTIVE",
          passwordHash,
          // Otherwise nobody could sign in with the password while passwords are turned off.
          breakGlass: true,
          createdAt: now,
        }),
      ],
      audit: aboutUser("user.created", queries.userIdByEmail(email), {
        after: { email, role: "ADMIN" },
      }),
      onDuplicate: exists,
    });
  } catch (error) {
    // Continues if a guard failed: a parallel request has created the user with this address, or
    // another administrator has a password.
    if (error !== exists) throw error;
  }
}
