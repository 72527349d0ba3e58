import { z } from "@hono/zod-openapi";
import { isoOrNull, timestamp, version } from "../../http/schema.ts";
import type { SettingsRow } from "../../model/settings/queries.ts";
import { mfaDeadline } from "../../model/settings/mfa-deadline.ts";

const sessionTimeoutHours = z.int().min(1).max(720);

const passwordSignIn = z.enum(["everyone", "breakGlass"]).openapi({
  description:
    "`breakGlass` turns passwords off, except for administrators with `breakGlass`. Turning them off " +
    "needs a session of an identity provider, and such an administrator with a password and a second " +
    "factor. It ends the other sessions that began with a password or a passkey, " +
    "and the approvals of devices and agents that have no token yet.",
});

export const settingsResponse = z
  .object({
    requireMfa: z.boolean(),
    sessionTimeoutHours,
    passwordSignIn,
    mfaEnrollmentDeadline: timestamp.nullable().openapi({
      description:
        "From this time on, users without a second factor can only use their own account",
    }),
    version,
    updatedAt: timestamp.nullable(),
  })
  .openapi("Settings", {
    example: {
      requireMfa: false,
      sessionTimeoutHours: 720,
      passwordSignIn: "everyone",
      mfaEnrollmentDeadline: null,
      version: 1,
      updatedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toSettings = (row: SettingsRow): z.infer<typeof settingsResponse> => ({
  requireMfa: row.requireMfa,
  sessionTimeoutHours: row.sessionTimeoutHours,
  passwordSignIn: row.passwordSignIn,
  mfaEnrollmentDeadline: isoOrNull(mfaDeadline(row)),
  version: row.version,
  updatedAt: isoOrNull(row.updatedAt),
});

/** The request body of an update of the settings. An omitted field keeps its value. */
export const updateSettingsRequest = z
  .object({
    requireMfa: z.boolean().optional(),
    sessionTimeoutHours: sessionTimeoutHours.optional(),
    passwordSignIn: passwordSignIn.optional(),
  })
  .openapi("UpdateSettings", { example: { requireMfa: true, sessionTimeoutHours: 168 } });
