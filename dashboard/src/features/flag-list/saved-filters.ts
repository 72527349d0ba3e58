import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { readAll, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { changePreferences } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";

/** Filters that the user has saved, or with an id and a version those that the project shares. */
export type SavedFilter = Schemas["Preferences"]["filters"][number] &
  Partial<Pick<Schemas["SharedFilter"], "id" | "version">>;

export const sharedFiltersQuery = (projectId: number) =>
  readAll("/api/v1/shared-filters", { query: { projectId } });

/** Returns the functions that save, change and delete filters. */
export function useSavedFilterChanges() {
  const client = useQueryClient();
  const projectId = useProjectId();
  return {
    save: ({ name, query }: Pick<SavedFilter, "name" | "query">, isShared: boolean) =>
      isShared
        ? changeShared(client, projectId, () =>
            send("post", "/api/v1/shared-filters", { body: { projectId, name, query } }),
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
            send("delete", "/api/v1/shared-filters/{id}", itemOf(filter)),
          ),
  };
}

const itemOf = ({ id = 0, version = 0 }: SavedFilter) => ({ path: { id }, ifMatch: version });

const put = (filter: SavedFilter, body: Schemas["UpdateSharedFilter"]) =>
  send("put", "/api/v1/shared-filters/{id}", { ...itemOf(filter), body });

/** Loads the shared filters again, also after an error, because somebody may have changed them. */
async function changeShared(
  client: QueryClient,
  projectId: number,
  change: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await change();
  } finally {
    await client.invalidateQueries({ queryKey: sharedFiltersQuery(projectId).queryKey });
  }
}
