import { Anchor, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { projectsQuery } from "../../shared/data/projects.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import classes from "./ProjectsPage.module.css";

export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery);
  return (
    <>
      <PageHeader title={t("shell.searchProjects")} />
      <QueryView query={projects}>
        {(data) => (
          <ul className={classes.grid}>
            {data.map(({ id, name, description }) => (
              <Paper key={id} component="li" withBorder radius="md" p="md">
                <Anchor
                  fw={600}
                  renderRoot={(props) => (
                    <Link to="/projects/$projectId/flags" params={{ projectId: id }} {...props} />
                  )}
                >
                  {name}
                </Anchor>
                <Text size="sm" c="dimmed" mt={4} lineClamp={3} className={classes.text}>
                  {description}
                </Text>
              </Paper>
            ))}
          </ul>
        )}
      </QueryView>
    </>
  );
}
