import type { Actor } from "@feature-flags/permissions/permissions";
import { sql } from "drizzle-orm";
import { conflict } from "../../core/errors/api-error.ts";
import type { Guard } from "../../db/guards.ts";
import { type Call, reads, writes } from "../../access/call.ts";
import { endLocalAccess, hasBreakGlass } from "../../model/users/queries.ts";
import { optimisticUpdate, staleRow } from "../../model/optimistic-update.ts";
import * as queries from "../../model/settings/queries.ts";
import type { SettingsRow } from "../../model/settings/queries.ts";

export const getSettings = (call: Call): Promise<SettingsRow> =>
  queries.findSettings(reads(call, "settings:read").db);

/**
 * Changes the settings of the service. Throws: 409 if passwords cannot be turned off, 412 if `ifMatch` does not contain the version of the
 * settings.
 */
export async function updateSettings(
  call: Call,
  input: {
    readonly requireMfa?: boolean | undefined;
    readonly sessionTimeoutHours?: number | undefined;
    readonly passwordSignIn?: SettingsRow["passwordSignIn"] | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<SettingsRow> {
  const { ifMatch } = input;
  const ctx = writes(call, "settings:write", { projectId: null });
  const read = () => queries.findSettings(ctx.db);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const {
        requireMfa = row.requireMfa,
        sessionTimeoutHours = row.sessionTimeoutHours,
        passwordSignIn = row.passwordSignIn,
      } = input;
      const turnsOff = passwordSignIn === "breakGlass" && row.passwordSignIn === "everyone";
      const now = ctx.now();
      // Starts the grace period when an administrator turns on the requirement of a second factor.
      // Saving the settings while the requirement is on does not restart the grace period.
      const requireMfaSince = requireMfa ? (row.requireMfaSince ?? now) : null;
      return ctx.commit({
        guards: [
          { holds: queries.settingsUnchanged(row), error: staleRow },
          ...(turnsOff ? mayTurnPasswordsOff(ctx.actor) : []),
        ],
        statements: [
          ...(turnsOff ? endLocalAccess(sql`SELECT id FROM users`) : []),
          queries.saveSettings({
            requireMfa,
            requireMfaSince,
            sessionTimeoutHours,
            passwordSignIn,
            updatedAt: now,
          }),
        ],
        audit: [
          {
            action: "settings.updated",
            category: "security",
            entityType: "settings",
            entityId: null,
            before: {
              requireMfa: row.requireMfa,
              sessionTimeoutHours: row.sessionTimeoutHours,
              passwordSignIn: row.passwordSignIn,
            },
            after: { requireMfa, sessionTimeoutHours, passwordSignIn },
          },
        ],
      });
    },
  });
  return read();
}

/**
 * Returns the guards of turning passwords off. The caller must have signed in with an identity
 * provider, which shows that it works. If it fails later, the break-glass administrator gets in.
 */
function mayTurnPasswordsOff(actor: Actor): readonly Guard[] {
  const sessionId = (actor.kind === "user" ? actor.sessionId : undefined) ?? "";
  return [
    {
      holds: queries.isProviderSession(sessionId),
      error: conflict("Sign in with an identity provider first, to turn passwords off"),
    },
    {
      holds: hasBreakGlass,
      error: conflict(
        "To turn passwords off, first give an active administrator breakGlass, a password and a second factor",
      ),
    },
  ];
}
