import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconUserCircle, type TablerIcon } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { dataOf } from "../shared/api/response.ts";
import { api } from "../shared/api/client.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { PROJECT_PAGES, useCurrentProjectId, useOrganisationPages } from "./navigation-pages.ts";

interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly Icon?: TablerIcon;
  readonly open: () => void;
}

interface PaletteGroup {
  readonly name: string;
  readonly targets: readonly PaletteItem[];
}

/** The command palette shows at most this many flags, and at most this many projects. */
const MAX_SHOWN = 8;

const contains = (text: string, query: string) =>
  text.toLowerCase().includes(query.trim().toLowerCase());

/**
 * Returns the groups of results that the command palette shows for the typed `query`: flags of the
 * current project by name or key, pages by name, projects by name. An empty query finds no flags,
 * all pages and the first projects.
 */
export function useCommandPaletteGroups(query: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useCurrentProjectId();
  const organisation = useOrganisationPages();
  const { data: projects = [] } = useQuery(projectsQuery);
  const flags = useFoundFlags(query);

  const groups: PaletteGroup[] = [
    {
      name: t("shell.searchFlags"),
      targets: flags.found.map(({ id, name, key, projectId: of }) => ({
        id: `flag-${id}`,
        label: name,
        description: key,
        open: () =>
          void navigate({
            to: "/projects/$projectId/flags/$flagId",
            params: { projectId: of, flagId: id },
          }),
      })),
    },
    {
      name: t("shell.searchPages"),
      targets: [
        ...(projectId === undefined ? [] : PROJECT_PAGES).map(({ to, name, Icon }) => ({
          id: `project-${name}`,
          label: t(`shell.${name}`),
          Icon,
          open: () => void navigate({ to, params: { projectId: projectId ?? 0 } }),
        })),
        ...organisation.map(({ to, name, Icon }) => ({
          id: name,
          label: t(`shell.${name}`),
          Icon,
          open: () => void navigate({ to }),
        })),
        {
          id: "profile",
          label: t("shell.profile"),
          Icon: IconUserCircle,
          open: () => void navigate({ to: "/profile" }),
        },
        {
          id: "projects",
          label: t("shell.allProjects"),
          Icon: IconArrowsExchange,
          open: () => void navigate({ to: "/projects" }),
        },
      ].filter(({ label }) => contains(label, query)),
    },
    {
      name: t("shell.searchProjects"),
      targets: projects
        .filter(({ name }) => contains(name, query))
        .slice(0, MAX_SHOWN)
        .map(({ id, name }) => ({
          id: `project-${id}`,
          label: name,
          open: () =>
            void navigate({ to: "/projects/$projectId/flags", params: { projectId: id } }),
        })),
    },
  ];
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching: flags.isSearching,
  };
}

/**
 * Returns the flags of the current project that the server found. Until the response arrives,
 * returns the flags of the previous search that match the new query.
 */
function useFoundFlags(query: string) {
  const projectId = useCurrentProjectId();
  const trimmed = query.trim();
  const [search] = useDebouncedValue(trimmed, 150);
  const { data, isFetching } = useQuery({
    queryKey: ["flags", projectId, "command-palette", search],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/v1/flags", {
          params: {
            query: { search, size: MAX_SHOWN, ...(projectId !== undefined && { projectId }) },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: projectId !== undefined && search !== "",
  });
  const found = (trimmed === "" ? [] : (data?.items ?? [])).filter(
    ({ name, key }) => contains(name, trimmed) || contains(key, trimmed),
  );
  return { found, isSearching: isFetching || search !== trimmed };
}
