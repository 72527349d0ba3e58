import { Text, Button, Group, Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Project } from "../../shared/api/types.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { projectQuery } from "../../shared/data/projects.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { loadCode } from "../../shared/load-code.ts";
import { saveText } from "../../shared/save-text.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { CopyableCode } from "../../shared/ui/CopyableCode.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ImportFile } from "./ImportFile.tsx";
import { readExport } from "./file-requests.ts";
import type { Format } from "./file-text.ts";

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

const FORMATS: readonly Format[] = ["yaml", "json"];

/** Buttons that download the file of a project, and the line that writes it on the command line. */
function ExportFile({ project: { id } }: { project: Project }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const [loading, setLoading] = useState<Format>();
  const download = async (format: Format) => {
    setLoading(format);
    try {
      const [{ fileText }, file] = await Promise.all([
        loadCode(() => import("./file-text.ts")),
        readExport(id),
      ]);
      saveText(`flags.${format}`, fileText(file, format));
    } catch (error) {
      failed(error);
    } finally {
      setLoading(undefined);
    }
  };
  return (
    <Stack>
      <Group gap="xs">
        {FORMATS.map((format) => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            loading={loading === format}
            onClick={() => void download(format)}
          >
            {t("files.download", { name: `flags.${format}` })}
          </Button>
        ))}
      </Group>
      <Text size="sm">{t("files.commandLine")}</Text>
      <CopyableCode
        name={t("files.command")}
        code={`flags export --project ${id} --output flags.yaml`}
      />
    </Stack>
  );
}
