import { Button, Paper, Skeleton, Text, Title, VisuallyHidden } from "@mantine/core";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { useResource } from "../../shared/use-resource.ts";
import { listProjects } from "./projects.ts";
import type { Project } from "./projects.ts";
import classes from "./ProjectsPage.module.css";

export function ProjectsPage() {
  const projects = useResource(listProjects);
  return (
    <>
      <Title order={1} size="h2" mb="lg">
        Projects
      </Title>
      {projects.status === "loading" && <Loading />}
      {projects.status === "failed" && (
        <ErrorAlert error={projects.error}>
          <Button variant="default" size="xs" mt="sm" onClick={projects.reload}>
            Try again
          </Button>
        </ErrorAlert>
      )}
      {projects.status === "ready" &&
        (projects.data.length > 0 ? <List projects={projects.data} /> : <Empty />)}
    </>
  );
}

function List({ projects }: { projects: Project[] }) {
  return (
    <ul className={classes.grid}>
      {projects.map((project) => (
        <Paper key={project.id} component="li" withBorder radius="md" p="md">
          <Title order={2} size="h5" className={classes.text}>
            {project.name}
          </Title>
          {project.description && (
            <Text size="sm" c="dimmed" mt={4} lineClamp={3} className={classes.text}>
              {project.description}
            </Text>
          )}
        </Paper>
      ))}
    </ul>
  );
}

function Empty() {
  return (
    <Paper withBorder radius="md" p="xl" ta="center">
      <Text fw={500}>No projects yet</Text>
      <Text size="sm" c="dimmed" mt={4}>
        A project holds the flags of one product. Administrators create projects.
      </Text>
    </Paper>
  );
}

function Loading() {
  return (
    <div role="status">
      <VisuallyHidden>Loading projects</VisuallyHidden>
      <div className={classes.grid} aria-hidden>
        <Skeleton height={88} radius="md" />
        <Skeleton height={88} radius="md" />
        <Skeleton height={88} radius="md" />
      </div>
    </div>
  );
}
