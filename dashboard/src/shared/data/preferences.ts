import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/response.ts";
import type { Schemas } from "../api/types.ts";

type PreferenceChange = Schemas["ChangePreferences"];

/**
 * The query (React Query) for what the service keeps for the user in a project: favourites, recent
 * flags, saved filters and columns.
 */
export const preferencesQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["preferences", projectId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/v1/auth/me/preferences", { params: { query: { projectId } }, signal })),
  });

/**
 * Sends one change of the preferences, and stores the response. It is no React Query mutation,
 * because those refetch all queries of the page.
 */
export async function changePreferences(
  client: QueryClient,
  body: PreferenceChange,
): Promise<Schemas["Preferences"]> {
  const preferences = await dataOf(api.POST("/api/v1/auth/me/preferences", { body }));
  client.setQueryData(preferencesQuery(body.projectId).queryKey, preferences);
  return preferences;
}
