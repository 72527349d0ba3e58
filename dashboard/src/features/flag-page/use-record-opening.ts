import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { changePreferences, preferencesQuery } from "../../shared/data/preferences.ts";

/** How long after the flag is shown the opening is sent, milliseconds, so that the page loads first. */
const DELAY_MS = 1000;

/**
 * Adds the flag to the flags that the user opened last. Sends one request for each opening of the
 * page, and none if the flag is already the newest. An error is ignored, because nothing depends on
 * the request.
 */
export function useRecordOpening({ id: flagId, projectId }: Pick<Flag, "id" | "projectId">): void {
  const client = useQueryClient();
  const { data } = useQuery(preferencesQuery(projectId));
  const isDone = useRef(false);
  useEffect(() => {
    if (data === undefined || isDone.current) return;
    isDone.current = true;
    if (data.recent[0]?.id === flagId) return;
    const change = { change: "addRecent", projectId, flagId } as const;
    setTimeout(() => void changePreferences(client, change).catch(() => {}), DELAY_MS);
  }, [client, data, projectId, flagId]);
}
