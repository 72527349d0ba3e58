import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { followProject } from "../shared/api/project-stream.ts";

/** How long the refetch waits for further changes, milliseconds. */
const DEBOUNCE_MS = 200;

/**
 * A hook that refetches the queries of the page when somebody changes the project. The page shows
 * the previous data until the new data is there.
 */
export function useFollowProject(projectId: number, isEnabled: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refetchSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A successful mutation refetches all queries, also those that this change concerns.
        if (client.isMutating() > 0) refetchSoon();
        else refetch(client);
      }, DEBOUNCE_MS);
    };
    const stop = followProject(projectId, refetchSoon);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, projectId, isEnabled]);
}

/** Refetches all queries except failed ones, whose error the page shows until the user retries. */
const refetch = (client: QueryClient): void =>
  void client.invalidateQueries({ predicate: ({ state }) => state.status !== "error" });
