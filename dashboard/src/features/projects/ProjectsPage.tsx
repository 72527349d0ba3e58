import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolder, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { CreateProject } from "./CreateProject.tsx";
import { ProjectList } from "./ProjectList.tsx";

export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery);
  const mayWrite = useCan("project:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && (
    <Button
      aria-keyshortcuts="n"
      title="N"
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
      onClick={open}
    >
      {t("projects.new")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("projects.title")}
        description={t("projects.about")}
        actions={projects.data?.length !== 0 && create}
      />
      <QueryView query={projects}>
        {(data) =>
          data.length > 0 ? (
            <ProjectList projects={data} />
          ) : (
            <EmptyState Icon={IconFolder} title={t("projects.first")} action={create}>
              {t(mayWrite ? "projects.firstText" : "projects.noneText")}
            </EmptyState>
          )
        }
      </QueryView>
      <CreateProject opened={isCreating} onClose={close} />
    </>
  );
}
