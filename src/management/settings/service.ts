import type { Actor } from "@feature-flags/permissions/permissions";
import type { ManagementDeps } from "../deps.ts";
import { revise } from "../revise.ts";
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
  demanded: readonly number[] | undefined,
): Promise<SettingsRow> {
  const read = () => getSettings(deps);
  await revise(demanded, read, (row, otherwise) => {
    const { requireMfa = row.requireMfa, sessionTimeoutHours = row.sessionTimeoutHours } = input;
    const now = deps.now();
    // The grace starts when the requirement is turned on, not when it is saved once more.
    const requireMfaSince = requireMfa ? (row.requireMfaSince ?? now) : null;
    return deps.commit(actor, {
      guards: [{ holds: queries.settingsUnchanged(row), otherwise }],
      statements: [
        queries.saveSettings({ requireMfa, requireMfaSince, sessionTimeoutHours, updatedAt: now }),
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
  });
  return read();
}
