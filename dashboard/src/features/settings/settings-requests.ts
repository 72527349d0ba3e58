import { queryOptions } from "@tanstack/react-query";
import { dataOf, etag } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas } from "../../shared/api/types.ts";

export type Settings = Schemas["Settings"];

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/v1/settings", { signal })),
});

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
  dataOf(
    api.PUT("/api/v1/settings", {
      params: { header: { "If-Match": etag(version) } },
      body: { requireMfa, sessionTimeoutHours: Number(sessionTimeoutHours) },
    }),
  );

/**
 * Changes who may sign in with a password. Other settings keep their values, so the version does not
 * matter. Throws: ApiError 409 if passwords cannot be turned off.
 */
export const updatePasswordSignIn = (passwordSignIn: Settings["passwordSignIn"]) =>
  dataOf(api.PUT("/api/v1/settings", { body: { passwordSignIn } }));

/** The limits of the service for the session timeout, in hours (docs/use/api.md, Sessions). */
export const TIMEOUT_HOURS = { min: 1, max: 720 } as const;

/** Whether the text is a whole number of hours within `TIMEOUT_HOURS`. */
export function isTimeout(hours: number | string): boolean {
  const number = Number(hours);
  return Number.isInteger(number) && number >= TIMEOUT_HOURS.min && number <= TIMEOUT_HOURS.max;
}
