import { useDisclosure } from "@mantine/hooks";
import { IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { CreateProject } from "./CreateProject.tsx";
import { ProjectList } from "./ProjectList.tsx";

export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery);
  const mayWrite = useCan("project:write");
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = mayWrite && <CreateButton onClick={open}>{t("projects.new")}</CreateButton>;
  return (
    <>
      <ListPage
        title={t("projects.title")}
        description={t("projects.about")}
        query={projects}
        actions={create}
        empty={
          <EmptyState Icon={IconFolder} title={t("projects.first")} action={create}>
            {t(mayWrite ? "projects.firstText" : "projects.noneText")}
          </EmptyState>
        }
      >
        {(data) => <ProjectList projects={data} />}
      </ListPage>
      <CreateProject opened={isCreating} onClose={close} />
    </>
  );
}
