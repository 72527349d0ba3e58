import { IconToggleLeft, IconToggleRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { EnrichedFlag } from "../shared/api/types.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { useConfirmSwitch, useTurnOff } from "../shared/flags/use-flag-switch.tsx";
import { useSetEnabled } from "../shared/flags/use-set-enabled.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCan } from "../shared/session/current-session.tsx";
import type { Command } from "./palette-command.ts";
import type { PaletteItem } from "./palette-item.ts";
import { searchWords } from "./palette-search.ts";
import { MAX_SHOWN } from "./use-found-flags.ts";

/**
 * Returns the palette's actions for the found flags: turn a flag off where it is on, and on where it
 * is off, in the environments that the command names. Production is first. A plain search gets the
 * actions of the first flag only.
 */
export function useFlagActions(
  found: readonly EnrichedFlag[],
  { state, text }: Command,
): readonly PaletteItem[] {
  const { t } = useTranslation();
  const canSwitch = useCan("strategy:write");
  const confirm = useConfirmSwitch();
  const set = useSetEnabled();
  const { data: projects = [] } = useQuery(projectsQuery);
  const turnOff = useTurnOff();
  if (!canSwitch) return [];
  const textOf = ({ name, key, projectId }: EnrichedFlag, environment: string) =>
    [name, key, environment, projects.find(({ id }) => id === projectId)?.name].join(" ");

  return (state === undefined ? found.slice(0, 1) : found)
    .filter(({ archived }) => !archived)
    .flatMap((flag) =>
      flag.environments
        .toSorted((a, b) => Number(b.production) - Number(a.production))
        .flatMap((environment): PaletteItem[] => {
          const enabled = !environment.strategy.enabled;
          const isOther = state !== undefined && (state === "on") !== enabled;
          const names = { flag: flag.name, environment: environment.name };
          const isNamed =
            searchWords([flag], text, () => textOf(flag, environment.name)).length > 0;
          if (isOther || !isNamed) return [];
          const strategy = { ...environment.strategy, enabled };
          return [
            {
              id: `switch-${flag.id}-${environment.id}`,
              label: t(enabled ? "shell.turnOn" : "shell.turnOff", names),
              description: flag.key,
              Icon: enabled ? IconToggleRight : IconToggleLeft,
              opensDialog: true,
              open: async () => {
                if (!enabled) return turnOff({ flag, environment });
                const confirmed = await confirm({ flag, environment, strategy });
                if (confirmed) await set({ flag, environment }, true, confirmed.reason);
              },
            },
          ];
        }),
    )
    .slice(0, MAX_SHOWN);
}
