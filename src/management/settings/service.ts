import { authorized, type Call } from "../context.ts";
import { optimisticUpdate, staleRow } from "../optimistic-update.ts";
import * as queries from "./queries.ts";
import type { SettingsRow } from "./queries.ts";

export const getSettings = (call: Call): Promise<SettingsRow> =>
  queries.findSettings(authorized(call, "settings:read").db);

/**
 * Changes the settings of the service. Throws: 412 if `ifMatch` does not contain the version of the
 * settings.
 */
export async function updateSettings(
  call: Call,
  input: {
    readonly requireMfa?: boolean | undefined;
    readonly sessionTimeoutHours?: number | undefined;
    readonly ifMatch?: readonly number[] | undefined;
  },
): Promise<SettingsRow> {
  const { ifMatch } = input;
  const ctx = authorized(call, "settings:write", { projectId: null });
  const read = () => queries.findSettings(ctx.db);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { requireMfa = row.requireMfa, sessionTimeoutHours = row.sessionTimeoutHours } = input;
      const now = ctx.now();
      // Starts the grace period when an administrator turns on the requirement of a second factor.
      // Saving the settings while the requirement is on does not restart the grace period.
      const requireMfaSince = requireMfa ? (row.requireMfaSince ?? now) : null;
      return ctx.commit({
        guards: [{ holds: queries.settingsUnchanged(row), error: staleRow }],
        statements: [
          queries.saveSettings({
            requireMfa,
            requireMfaSince,
            sessionTimeoutHours,
            updatedAt: now,
          }),
        ],
        audit: [
          {
            action: "settings.updated",
            category: "security",
            entityType: "settings",
            entityId: null,
            before: { requireMfa: row.requireMfa, sessionTimeoutHours: row.sessionTimeoutHours },
            after: { requireMfa, sessionTimeoutHours },
          },
        ],
      });
    },
  });
  return read();
}
