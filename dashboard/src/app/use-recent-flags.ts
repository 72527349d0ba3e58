import { IconClockHour4 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { preferencesQuery } from "../shared/data/preferences.ts";
import { useCurrentProjectId } from "./navigation-pages.ts";
import type { PaletteItem } from "./palette-item.ts";

/** The palette shows at most this many of the flags that the user opened last. */
const SHOWN = 5;

/**
 * Returns the flags of the current project that the user opened last, newest first, without the flag
 * whose page is open.
 */
export function useRecentFlags(isShown: boolean): readonly PaletteItem[] {
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const openId = useParams({ strict: false, select: ({ flagId }) => flagId });
  const enabled = isShown && projectId !== undefined;
  const { data } = useQuery({ ...preferencesQuery(projectId ?? 0), enabled });
  if (!isShown || projectId === undefined) return [];
  return (data?.recent ?? [])
    .filter(({ id }) => id !== openId)
    .slice(0, SHOWN)
    .map(({ id, name, key }) => ({
      id: `recent-${id}`,
      label: name,
      description: key,
      Icon: IconClockHour4,
      open: () =>
        navigate({ to: "/projects/$projectId/flags/$flagId", params: { projectId, flagId: id } }),
    }));
}
