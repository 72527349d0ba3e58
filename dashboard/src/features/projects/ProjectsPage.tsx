import { IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { CreateProject } from "./CreateProject.tsx";
import { ProjectList } from "./ProjectList.tsx";

export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useQuery(projectsQuery);
  const mayWrite = useCan("project:write");
  return (
    <ListPage
      title={t("projects.title")}
      description={t("projects.about")}
      query={projects}
      create={
        mayWrite && {
          label: t("projects.new"),
          renderForm: (onClose) => <CreateProject onClose={onClose} />,
        }
      }
      empty={{
        Icon: IconFolder,
        title: t("projects.first"),
        text: t(mayWrite ? "projects.firstText" : "projects.noneText"),
      }}
    >
      {(data) => <ProjectList projects={data} />}
    </ListPage>
  );
}
