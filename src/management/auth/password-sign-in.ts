import { ApiError } from "../../core/errors/api-error.ts";
import type { PublicContext } from "../context.ts";
import type { SettingsRow } from "../settings/queries.ts";
import type { UserRow } from "./queries.ts";

/**
 * Whether a user may sign in with a password, or set one by a link. While passwords are turned off,
 * only break-glass administrators may; with `SIGN_ON_BREAK_GLASS`, every administrator.
 * @param allowed who may; null before settings are saved, when everyone may
 */
export const mayUsePassword = (
  { signOn }: Pick<PublicContext, "signOn">,
  { role, breakGlass }: Pick<UserRow, "role" | "breakGlass">,
  allowed: SettingsRow["passwordSignIn"] | null,
): boolean => allowed !== "breakGlass" || (role === "ADMIN" && (breakGlass || signOn.breakGlass));

export const passwordsAreOff = () =>
  new ApiError(
    "FORBIDDEN",
    "Passwords are turned off; sign in with the identity provider of your organisation",
  );

/** Throws: 403 if the user may not use a password (see `mayUsePassword`). */
export function assertPasswordAllowed(
  ctx: Pick<PublicContext, "signOn">,
  user: Pick<UserRow, "role" | "breakGlass">,
  allowed: SettingsRow["passwordSignIn"] | null,
): void {
  if (!mayUsePassword(ctx, user, allowed)) throw passwordsAreOff();
}
