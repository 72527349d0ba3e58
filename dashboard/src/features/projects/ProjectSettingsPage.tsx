import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Project } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { DeleteProject } from "./DeleteProject.tsx";
import { EditProject } from "./EditProject.tsx";
import { ProjectMembers } from "./ProjectMembers.tsx";
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
          <>
            <SettingsSection
              title={t("projects.general")}
              description={t(mayWrite ? "projects.generalText" : "projects.readOnly")}
            >
              {mayWrite ? <EditProject loaded={loaded} /> : <Description {...loaded.project} />}
            </SettingsSection>
            <SettingsSection
              title={t("projects.members")}
              description={t(
                loaded.project.visibility === "members"
                  ? "projects.membersOfPrivate"
                  : "projects.membersText",
              )}
            >
              <ProjectMembers projectId={loaded.project.id} />
            </SettingsSection>
            {mayWrite && (
              <SettingsSection
                title={t("projects.deleteTitle")}
                description={t("projects.deleteText")}
              >
                <DeleteProject project={loaded.project} />
              </SettingsSection>
            )}
          </>
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
  return (
    <>
      <Text fw={600}>{name}</Text>
      <Text size="sm" mt={4}>
        {description}
      </Text>
    </>
  );
}
