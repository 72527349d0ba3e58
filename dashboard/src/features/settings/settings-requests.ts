import { read } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type Settings = Schemas["Settings"];

export const settingsQuery = read("/api/v1/settings");

export type SettingsFields = {
  requireMfa: boolean;
  /** The session timeout in hours. A string while the text of the input is not a number. */
  sessionTimeoutHours: number | string;
};

/** The limits of the service for the session timeout, in hours (docs/use/api.md, Sessions). */
export const TIMEOUT_HOURS = { min: 1, max: 720 } as const;

/** Whether the text is a whole number of hours within `TIMEOUT_HOURS`. */
export function isTimeout(hours: number | string): boolean {
  const number = Number(hours);
  return Number.isInteger(number) && number >= TIMEOUT_HOURS.min && number <= TIMEOUT_HOURS.max;
}
