import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { changePreferences, preferencesQuery } from "../data/preferences.ts";
import { useNotify } from "../ui/use-notify.tsx";

/**
 * The favourites of the user in a project: the ids, and a function that adds or removes one. Both
 * keep their identity, so that the rows of a list do not render again. Undefined ids are loading.
 */
export function useFavourites(projectId: number) {
  const client = useQueryClient();
  const { failed } = useNotify();
  const onError = useRef(failed);
  useLayoutEffect(() => {
    onError.current = failed;
  });
  const { data } = useQuery(preferencesQuery(projectId));
  const ids = useMemo(() => data && new Set(data.favourites.map(({ id }) => id)), [data]);
  const set = useCallback(
    async (flagId: number, isFavourite: boolean): Promise<void> => {
      const change = isFavourite ? "addFavourite" : "removeFavourite";
      try {
        await changePreferences(client, { change, projectId, flagId });
        // The list may show favourites only.
        await client.invalidateQueries({ queryKey: ["flags", projectId] });
      } catch (error) {
        onError.current(error);
      }
    },
    [client, projectId],
  );
  return { ids, set };
}

export type Favourites = ReturnType<typeof useFavourites>;
