import type { Actor } from "@feature-flags/permissions/permissions";
import type { ManagementDeps } from "../deps.ts";
import { optimisticUpdate, staleRow } from "../optimistic-update.ts";
import * as queries from "./queries.ts";
import type { SettingsRow } from "./queries.ts";

export const getSettings = (deps: ManagementDeps): Promise<SettingsRow> =>
  queries.findSettings(deps.db);

/** Errors: 412. */
export async function updateSettings(
  deps: ManagementDeps,
  actor: Actor,
  input: {
    readonly requireMfa?: boolean | undefined;
    readonly sessionTimeoutHours?: number | undefined;
  },
  ifMatch: readonly number[] | undefined,
): Promise<SettingsRow> {
  const read = () => getSettings(deps);
  await optimisticUpdate({
    ifMatch,
    read,
    write: (row) => {
      const { requireMfa = row.requireMfa, sessionTimeoutHours = row.sessionTimeoutHours } = input;
      const now = deps.now();
      // The grace starts when the requirement is turned on, not when it is saved once more.
      const requireMfaSince = requireMfa ? (row.requireMfaSince ?? now) : null;
      return deps.commit(actor, {
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
