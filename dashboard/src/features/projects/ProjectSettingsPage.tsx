import { Code, Paper, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Project } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { DeleteProject } from "./DeleteProject.tsx";
import { EditProject } from "./EditProject.tsx";
import { editedProjectQuery } from "./project-requests.ts";

export function ProjectSettingsPage() {
  const { t } = useTranslation();
  const edited = useQuery(editedProjectQuery(useProjectId()));
  const mayWrite = useCan("project:write");
  return (
    <>
      <PageHeader
        title={t("shell.projectSettings")}
        description={edited.data && <Facts project={edited.data.project} />}
      />
      <QueryView query={edited}>
        {(loaded) => (
          <Stack maw="44rem">
            {mayWrite ? <EditProject loaded={loaded} /> : <Description {...loaded.project} />}
            {mayWrite && <DeleteProject project={loaded.project} />}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

/** The id and the creation date of the project. Scripts that call the API need the id. */
function Facts({ project: { id, createdAt } }: { project: Project }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  return (
    <>
      {t("projects.id")} <Code>{id}</Code> · {t("projects.since", { date: date(createdAt) })}
    </>
  );
}

function Description({ name, description }: Project) {
  const { t } = useTranslation();
  return (
    <Paper withBorder radius="md" p="lg">
      <Text fw={600}>{name}</Text>
      <Text size="sm" mt={4}>
        {description}
      </Text>
      <Text size="sm" c="dimmed" mt="md">
        {t("projects.readOnly")}
      </Text>
    </Paper>
  );
}
