import { read, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type Settings = Schemas["Settings"];

export const settingsQuery = read("/api/v1/settings");

export type SettingsFields = {
  requireMfa: boolean;
  /** The session timeout in hours. A string while the text of the input is not a number. */
  sessionTimeoutHours: number | string;
};

/** Throws: ApiError 412 if the settings have changed since they were loaded. */
export const updateSettings = (
  { version }: Settings,
  { requireMfa, sessionTimeoutHours }: SettingsFields,
) =>
  send("put", "/api/v1/settings", {
    ifMatch: version,
    body: { requireMfa, sessionTimeoutHours: Number(sessionTimeoutHours) },
  });

/**
 * Changes who may sign in with a password. Other settings keep their values, so the version does not
 * matter. Throws: ApiError 409 if passwords cannot be turned off.
 */
export const updatePasswordSignIn = (passwordSignIn: Settings["passwordSignIn"]) =>
  send("put", "/api/v1/settings", { body: { passwordSignIn } });

/** The limits of the service for the session timeout, in hours (docs/use/api.md, Sessions). */
export const TIMEOUT_HOURS = { min: 1, max: 720 } as const;

/** Whether the text is a whole number of hours within `TIMEOUT_HOURS`. */
export function isTimeout(hours: number | string): boolean {
  const number = Number(hours);
  return Number.isInteger(number) && number >= TIMEOUT_HOURS.min && number <= TIMEOUT_HOURS.max;
}
