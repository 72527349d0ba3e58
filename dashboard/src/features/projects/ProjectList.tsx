import { Anchor, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import classes from "./ProjectsPage.module.css";

/** So many are found at a glance. */
const SEARCHED_FROM = 10;

export function ProjectList({ projects }: { projects: readonly Project[] }) {
  const { t, i18n } = useTranslation();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = projects
    .filter(({ name, description }) =>
      `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name, i18n.language, { numeric: true }));
  return (
    <Stack>
      {projects.length > SEARCHED_FROM && (
        <Group>
          <TextInput
            type="search"
            w="min(100%, 24rem)"
            aria-label={t("projects.search")}
            placeholder={t("projects.search")}
            leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <Text size="sm" c="dimmed" role="status">
            {wanted !== "" && t("projects.found", { count: found.length })}
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
      <Anchor
        fw={600}
        className={classes.link}
        renderRoot={(props) => (
          <Link to="/projects/$projectId/flags" params={{ projectId: id }} {...props} />
        )}
      >
        {name}
      </Anchor>
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
