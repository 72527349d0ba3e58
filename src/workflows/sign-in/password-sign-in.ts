import { ApiError } from "../../core/errors/api-error.ts";
import { aboutUser } from "../../db/audit.ts";
import type { Change } from "../../db/commit.ts";
import type { Guard } from "../../db/guards.ts";
import { asSystem, type Visitor } from "../../access/call.ts";
import { passwordsAreOn, type SettingsRow } from "../../model/settings/queries.ts";
import type { UserRow } from "../../model/auth/queries.ts";

/**
 * Whether a user may sign in with a password or a passkey, or set a password by a link. While passwords are turned off,
 * only break-glass administrators may; with `SIGN_ON_BREAK_GLASS`, every administrator.
 * @param allowed who may; null before settings are saved, when everyone may
 */
export const mayUsePassword = (
  { signOn }: Pick<Visitor, "signOn">,
  { role, breakGlass }: Pick<UserRow, "role" | "breakGlass">,
  allowed: SettingsRow["passwordSignIn"] | null,
): boolean => allowed !== "breakGlass" || (role === "ADMIN" && (breakGlass || signOn.breakGlass));

const passwordsAreOff = () =>
  new ApiError(
    "FORBIDDEN",
    "Passwords and passkeys are turned off; sign in with the identity provider of your organisation",
  );

/** Throws: 403 if the user may not use a password (see `mayUsePassword`). */
export function assertPasswordAllowed(
  ctx: Pick<Visitor, "signOn">,
  user: Pick<UserRow, "role" | "breakGlass">,
  allowed: SettingsRow["passwordSignIn"] | null,
): void {
  if (!mayUsePassword(ctx, user, allowed)) throw passwordsAreOff();
}

/** Fails if an administrator has turned passwords off since the settings were read. */
export const passwordsStayOn = (): Guard => ({ holds: passwordsAreOn, error: passwordsAreOff() });

/**
 * Records that a right password or passkey was refused, because passwords are turned off. Returns the
 * error.
 * @param attempt what is written together with the record
 */
export async function refusePassword(
  ctx: Visitor,
  user: Pick<UserRow, "id">,
  attempt: Pick<Change, "guards" | "statements">,
): Promise<ApiError> {
  await asSystem(ctx, "sign-in").commit({
    ...attempt,
    audit: aboutUser("session.password-off", user.id),
  });
  return passwordsAreOff();
}
