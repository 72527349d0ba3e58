import type { QueryClient } from "@tanstack/react-query";
import { read, send } from "../api/request.ts";
import type { Schemas } from "../api/types.ts";

type PreferenceChange = Schemas["ChangePreferences"];

/** What the service keeps for the user: favourites, recent flags, saved filters and columns. */
export const preferencesQuery = (projectId: number) =>
  read("/api/v1/auth/me/preferences", { query: { projectId } });

/** The last change that was sent. The next change waits for its response. */
let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Sends one change of the preferences, and stores the response. It is no React Query mutation,
 * because those refetch all queries of the page.
 *
 * Changes are sent one after the other. Otherwise the responses of two changes could arrive in the
 * wrong order, and the response that arrives last would lack the newer change.
 */
export function changePreferences(
  client: QueryClient,
  body: PreferenceChange,
): Promise<Schemas["Preferences"]> {
  const change = lastChange.then(() => sendChange(client, body));
  lastChange = change.catch(() => {});
  return change;
}

async function sendChange(client: QueryClient, body: PreferenceChange) {
  const preferences = await send("post", "/api/v1/auth/me/preferences", { body });
  const { queryKey } = preferencesQuery(body.projectId);
  // A refetch that is running may have read the preferences before the change, and would overwrite
  // the response.
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, preferences);
  return preferences;
}
