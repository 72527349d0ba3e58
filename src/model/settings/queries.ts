import { eq, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { settings } from "../../db/schema/people.ts";

type SettingsRecord = typeof settings.$inferSelect;
export type SettingsRow = Omit<SettingsRecord, "updatedAt"> & { readonly updatedAt: number | null };

const ONLY = 1;

/** The settings that apply before an administrator saves any. Version 0 means that the table has no row. */
export const DEFAULT_SETTINGS: SettingsRow = {
  id: ONLY,
  requireMfa: false,
  requireMfaSince: null,
  sessionTimeoutHours: 720,
  passwordSignIn: "everyone",
  version: 0,
  updatedAt: null,
};

export async function findSettings(db: ReadDb): Promise<SettingsRow> {
  return (await db.select().from(settings).where(eq(settings.id, ONLY)))[0] ?? DEFAULT_SETTINGS;
}

/** Guard: fails if the settings have changed since they were read. */
export const settingsUnchanged = (row: SettingsRow) =>
  row.version === 0
    ? sql`NOT EXISTS (SELECT 1 FROM ${settings})`
    : sql`EXISTS (SELECT 1 FROM ${settings} WHERE ${settings.version} = ${row.version})`;

export const saveSettings = (
  row: Pick<
    SettingsRecord,
    "requireMfa" | "requireMfaSince" | "sessionTimeoutHours" | "passwordSignIn" | "updatedAt"
  >,
) =>
  write
    .insert(settings)
    .values({ ...row, id: ONLY })
    .onConflictDoUpdate({ target: settings.id, set: { ...row, version: sql`version + 1` } });

/** Guard: fails unless the session began at an identity provider. */
export const isProviderSession = (id: string) =>
  sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${id} AND issuer IS NOT NULL)`;

/** Guard: fails if passwords are turned off. */
export const passwordsAreOn = sql`NOT EXISTS (SELECT 1 FROM settings WHERE password_sign_in = 'breakGlass')`;
