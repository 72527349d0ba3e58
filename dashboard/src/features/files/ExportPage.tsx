import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { projectQuery } from "../../shared/data/projects.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { ExportFile } from "./ExportFile.tsx";
import { ImportFile } from "./ImportFile.tsx";

/** The page that exports the flags of a project as a file, and imports a file or the flags of Unleash. */
export function ExportPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const project = useQuery(projectQuery(projectId));
  const environments = useQuery(environmentsQuery(projectId));
  const mayApply = useCan("project:apply");
  return (
    <>
      <PageHeader title={t("shell.files")} description={t("files.about")} />
      <QueryView query={project}>
        {(loaded) => (
          <SettingsSection title={t("files.export")} description={t("files.exportText")}>
            <ExportFile project={loaded} />
          </SettingsSection>
        )}
      </QueryView>
      {project.data && (
        <SettingsSection title={t("files.import")} description={t("files.importText")}>
          {mayApply ? (
            <QueryView query={environments}>
              {(list) => <ImportFile project={project.data} environments={list} />}
            </QueryView>
          ) : (
            <Text size="sm">{t("files.mayNotApply")}</Text>
          )}
        </SettingsSection>
      )}
    </>
  );
}
