import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf, etag } from "../../shared/api/response.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { listOfProject } from "../../shared/data/list-of-project.ts";
import { changePreferences } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";

/** Filters that the user has saved, or with an id and a version those that the project shares. */
export type SavedFilter = Schemas["Preferences"]["filters"][number] &
  Partial<Pick<Schemas["SharedFilter"], "id" | "version">>;

export const sharedFiltersQuery = listOfProject("shared-filters", (query, signal) =>
  api.GET("/api/v1/shared-filters", { params: { query }, signal }),
);

/** Returns the functions that save, change and delete filters. */
export function useSavedFilterChanges() {
  const client = useQueryClient();
  const projectId = useProjectId();
  return {
    save: ({ name, query }: Pick<SavedFilter, "name" | "query">, isShared: boolean) =>
      isShared
        ? changeShared(client, projectId, () =>
            dataOf(api.POST("/api/v1/shared-filters", { body: { projectId, name, query } })),
          )
        : changePreferences(client, { change: "saveFilter", projectId, name, query }),
    rename: (filter: SavedFilter, newName: string) => {
      const { name } = filter;
      return filter.id === undefined
        ? changePreferences(client, { change: "renameFilter", projectId, name, newName })
        : changeShared(client, projectId, () => put(filter, { name: newName }));
    },
    overwrite: (filter: SavedFilter, query: string) => {
      const { name } = filter;
      return filter.id === undefined
        ? changePreferences(client, { change: "saveFilter", projectId, name, query })
        : changeShared(client, projectId, () => put(filter, { query }));
    },
    remove: (filter: SavedFilter) =>
      filter.id === undefined
        ? changePreferences(client, { change: "deleteFilter", projectId, name: filter.name })
        : changeShared(client, projectId, () =>
            dataOf(api.DELETE("/api/v1/shared-filters/{id}", { params: paramsOf(filter) })),
          ),
  };
}

const paramsOf = ({ id = 0, version = 0 }: SavedFilter) => ({
  path: { id },
  header: { "If-Match": etag(version) },
});

const put = (filter: SavedFilter, body: Schemas["UpdateSharedFilter"]) =>
  dataOf(api.PUT("/api/v1/shared-filters/{id}", { params: paramsOf(filter), body }));

/** Loads the shared filters again, also after an error, because somebody may have changed them. */
async function changeShared(
  client: QueryClient,
  projectId: number,
  send: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await send();
  } finally {
    await client.invalidateQueries({ queryKey: sharedFiltersQuery(projectId).queryKey });
  }
}
