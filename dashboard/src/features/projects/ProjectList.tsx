import { Badge, Paper, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { sortedByName } from "../../shared/compare-names.ts";
import type { Project } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { FilterBar } from "../../shared/list/FilterBar.tsx";
import { useFilteredList } from "../../shared/list/use-filtered-list.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./ProjectsPage.module.css";

/** The number of projects above which the list of projects has a search box. */
const SEARCH_THRESHOLD = 8;

export function ProjectList({ projects }: { projects: readonly Project[] }) {
  const { t } = useTranslation();
  const { search, found, onSearch } = useFilteredList(
    sortedByName(projects),
    ({ name, description }) => `${name} ${description ?? ""}`,
  );
  return (
    <Stack>
      {(projects.length > SEARCH_THRESHOLD || search !== "") && (
        <FilterBar
          label={t("filters.bar")}
          search={{ label: t("projects.search"), value: search, onSearch }}
        >
          <Text size="sm" c="dimmed" role="status">
            {search !== "" && t("projects.found", { count: found.length })}
          </Text>
        </FilterBar>
      )}
      <ul className={classes.grid}>
        {found.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </ul>
    </Stack>
  );
}

function ProjectCard({ project }: { project: Project }) {
  const { id, name, description, visibility, createdAt, lastChange } = project;
  const { flagCount, environmentCount, memberCount = 0 } = project;
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
      {visibility === "members" && (
        <Badge variant="default" leftSection={<IconLock size={12} aria-hidden />}>
          {t("projects.private")}
        </Badge>
      )}
      {description !== null && (
        <Text size="sm" lineClamp={3}>
          {description}
        </Text>
      )}
      <div className={classes.facts}>
        {flagCount !== undefined && environmentCount !== undefined && (
          <Text size="sm">
            {t("projects.flags", { count: flagCount })} ·{" "}
            {t("projects.environments", { count: environmentCount })}
            {memberCount > 0 && ` · ${t("projects.memberCount", { count: memberCount })}`}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {lastChange ? (
            <LastChange {...lastChange} />
          ) : (
            t("projects.since", { date: date(createdAt) })
          )}
        </Text>
      </div>
    </Paper>
  );
}

/** Who changed something in the project last, and when. */
function LastChange({ at, actor }: NonNullable<Project["lastChange"]>) {
  const { t } = useTranslation();
  const who = actor.kind === "system" ? t("history.service") : actor.name;
  return (
    <>
      {t("projects.lastChange")} <TimeAgo at={at} />
      {who !== null && ` · ${actor.kind === "key" ? t("history.key", { name: who }) : who}`}
    </>
  );
}
