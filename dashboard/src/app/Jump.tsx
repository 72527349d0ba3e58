import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer } from "../shared/api/answer.ts";
import { api } from "../shared/api/client.ts";
import { projectsQuery } from "../shared/data/projects.ts";
import { PROJECT_PAGES, useNavigatedProject } from "./Navigation.tsx";

/** Ctrl K: to any page, flag or project by its name. */
export function Jump() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projectId = useNavigatedProject();
  const [query, setQuery] = useState("");
  const [search] = useDebouncedValue(query.trim(), 150);
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: found } = useQuery({
    queryKey: ["flags", projectId, "jump", search],
    queryFn: ({ signal }) =>
      answer(
        api.GET("/api/v1/flags", {
          params: { query: { search, size: 8, ...(projectId !== undefined && { projectId }) } },
          signal,
        }),
      ),
    enabled: projectId !== undefined && search !== "",
  });

  const groups: SpotlightActionGroupData[] = [];
  if (projectId !== undefined) {
    groups.push({
      group: t("shell.searchFlags"),
      actions: (found?.items ?? []).map(({ id, name, key }) => ({
        id: `flag ${id}`,
        label: name,
        description: key,
        // The server has searched; what it found is shown.
        keywords: query,
        onClick: () =>
          void navigate({
            to: "/projects/$projectId/flags/$flagId",
            params: { projectId, flagId: id },
          }),
      })),
    });
    groups.push({
      group: t("shell.searchPages"),
      actions: PROJECT_PAGES.map(({ to, name, Icon }) => ({
        id: to,
        label: t(`shell.${name}`),
        leftSection: <Icon size={18} stroke={1.75} aria-hidden />,
        onClick: () => void navigate({ to, params: { projectId } }),
      })),
    });
  }
  groups.push({
    group: t("shell.searchProjects"),
    actions: projects.map(({ id, name }) => ({
      id: `project ${id}`,
      label: name,
      onClick: () => void navigate({ to: "/projects/$projectId/flags", params: { projectId: id } }),
    })),
  });

  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      shortcut={["mod + K", "/"]}
      nothingFound={t("shell.searchEmpty")}
      limit={12}
      scrollable
      maxHeight={420}
      lockScroll={false}
      searchProps={{ placeholder: t("shell.searchHint"), "aria-label": t("shell.search") }}
    />
  );
}
