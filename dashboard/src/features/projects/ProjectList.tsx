import { Group, Paper, Stack, Text } from "@mantine/core";
import type { Project } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SearchBox } from "../../shared/list/SearchBox.tsx";
import { useFilteredList } from "../../shared/list/use-filtered-list.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./ProjectsPage.module.css";

/** The number of projects above which the list of projects has a search box. */
const SEARCH_THRESHOLD = 10;

export function ProjectList({ projects }: { projects: readonly Project[] }) {
  const { t, language } = useTranslation();
  const { search, found, onSearch } = useFilteredList(
    projects.toSorted((a, b) => a.name.localeCompare(b.name, language, { numeric: true })),
    ({ name, description }) => `${name} ${description ?? ""}`,
  );
  return (
    <Stack>
      {(projects.length > SEARCH_THRESHOLD || search !== "") && (
        <Group>
          <SearchBox
            maxWidth="24rem"
            label={t("projects.search")}
            value={search}
            onSearch={onSearch}
          />
          <Text size="sm" c="dimmed" role="status">
            {search !== "" && t("projects.found", { count: found.length })}
          </Text>
        </Group>
      )}
      <ul className={classes.grid}>
        {found.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
    </Stack>
  );
}

function ProjectCard({ project: { id, name, description, createdAt } }: { project: Project }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  return (
    <Paper component="li" withBorder radius="md" p="md" className={classes.card}>
      <LinkAnchor
        c="inherit"
        fw={600}
        className={classes.link}
        to="/projects/$projectId/flags"
        params={{ projectId: id }}
      >
        {name}
      </LinkAnchor>
      {description !== null && (
        <Text size="sm" lineClamp={3}>
          {description}
        </Text>
      )}
      <Text size="xs" c="dimmed" className={classes.since}>
        {t("projects.since", { date: date(createdAt) })}
      </Text>
    </Paper>
  );
}
