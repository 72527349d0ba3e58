import {
  IconArrowsExchange,
  IconClockHour4,
  IconToggleLeft,
  IconToggleRight,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { EnrichedFlag } from "../shared/api/types.ts";
import { preferencesQuery } from "../shared/data/preferences.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { useConfirmSwitch, useTurnOff } from "../shared/flags/use-flag-switch.tsx";
import { useSetEnabled } from "../shared/flags/use-set-enabled.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useCan } from "../shared/session/current-session.tsx";
import { PROJECT_PAGES, useCurrentProjectId, useOrganisationPages } from "./navigation-pages.ts";
import { parseCommand, type Command } from "./palette-command.ts";
import type { PaletteGroup, PaletteItem } from "./palette-item.ts";
import { searchWords } from "./palette-search.ts";
import { keysOf, PROJECTS_KEY } from "./shortcuts.ts";
import { MAX_SHOWN, useFoundFlags } from "./use-found-flags.ts";
import { useFoundItems } from "./use-found-items.ts";
import { type PaletteDialogs, useGeneralActions } from "./use-general-actions.ts";

/**
 * Returns the groups of results that the command palette shows for the typed `query`: flags of all
 * projects, actions, pages, the items of lists, and projects. An empty query finds the flags that were
 * opened last, all pages and actions, and the first projects. A command such as "turn off" shows its
 * actions first.
 */
export function useCommandPaletteGroups(query: string, dialogs: PaletteDialogs) {
  const { t } = useTranslation();
  const command = parseCommand(query, { on: t("shell.onWords"), off: t("shell.offWords") });
  const flags = useFoundFlags(command.text);
  const switches = useFlagActions(flags.found, command);
  const recent = useRecentFlags(query.trim() === "");
  const places = usePlaces();
  const projects = useProjects();
  const actions = useGeneralActions(dialogs);
  const items = useFoundItems(query);
  const search = (all: readonly PaletteItem[]) => searchWords(all, query, ({ label }) => label);

  const found = { name: t("shell.searchFlags"), targets: useFlagTargets(flags.found) };
  const switched = { name: t("shell.searchActions"), targets: switches };
  const groups: PaletteGroup[] = [
    { name: t("recentFlags.title"), targets: recent },
    ...(command.state === undefined ? [found, switched] : [switched, found]),
    { name: t("shell.searchPages"), targets: search(places) },
    ...items,
    { name: t("shell.searchProjects"), targets: search(projects).slice(0, MAX_SHOWN) },
    { name: t("shell.searchGeneral"), targets: search(actions) },
  ];
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching: flags.isSearching,
  };
}

function useFlagTargets(found: ReturnType<typeof useFoundFlags>["found"]): readonly PaletteItem[] {
  const navigate = useNavigate();
  const current = useCurrentProjectId();
  const { data: projects = [] } = useQuery(projectsQuery);
  return found.map(({ id, name, key, projectId }) => {
    const project = projects.find((other) => other.id === projectId);
    return {
      id: `flag-${id}`,
      label: name,
      description: project && projectId !== current ? `${key} · ${project.name}` : key,
      open: () =>
        navigate({
          to: "/projects/$projectId/flags/$flagId",
          params: { projectId, flagId: id },
        }),
    };
  });
}

function useProjects(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery);
  return projects.map(({ id, name }) => ({
    id: `project-${id}`,
    label: name,
    open: () => navigate({ to: "/projects/$projectId/flags", params: { projectId: id } }),
  }));
}

function usePlaces(): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const organisation = useOrganisationPages();
  return [
    ...(projectId === undefined ? [] : PROJECT_PAGES).map(({ to, name, Icon }) => ({
      id: `project-${name}`,
      label: t(`shell.${name}`),
      Icon,
      keys: keysOf(name),
      open: () => navigate({ to, params: { projectId: projectId ?? 0 } }),
    })),
    ...organisation.map(({ to, name, Icon }) => ({
      id: name,
      label: t(`shell.${name}`),
      Icon,
      keys: keysOf(name),
      open: () => navigate({ to }),
    })),
    {
      id: "projects",
      label: t("shell.allProjects"),
      Icon: IconArrowsExchange,
      keys: `G ${PROJECTS_KEY.toUpperCase()}`,
      open: () => navigate({ to: "/projects" }),
    },
  ];
}

/** The palette shows at most this many of the flags that the user opened last. */
const SHOWN = 5;

/** Returns the flags of the current project that the user opened last, except the open one. */
function useRecentFlags(isShown: boolean): readonly PaletteItem[] {
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

/**
 * Returns the palette's actions for the found flags: turn a flag off where it is on, and on where it
 * is off, in the environments that the command names. Production is first. A plain search gets the
 * actions of the first flag only.
 */
function useFlagActions(
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
