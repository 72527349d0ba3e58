import { isNotEmpty } from "@mantine/form";
import { IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { useWrite } from "../../shared/api/request.ts";
import { countedProjectsQuery } from "../../shared/data/projects.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { ProjectFieldset } from "./ProjectFieldset.tsx";
import { ProjectList } from "./ProjectList.tsx";
import { type ProjectFields, toBody } from "./project-requests.ts";

export function ProjectsPage() {
  const { t } = useTranslation();
  const projects = useQuery(countedProjectsQuery);
  const mayWrite = useCan("project:create");
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

/** Creates a project and opens the guided start of this project. */
function CreateProject({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const create = useWrite("post", "/api/v1/projects");
  const { form, pending, error, onSubmit } = useServerForm<ProjectFields>({
    form: {
      initialValues: { name: "", description: "", newFlagClients: "all" },
      validate: { name: isNotEmpty(t("common.required")) },
    },
    submit: async (fields) => {
      const { id } = await conflictToFieldError(
        create.mutateAsync({ body: toBody(fields) }),
        "name",
        t("projects.nameInUse"),
      );
      await navigate({ to: "/projects/$projectId/start", params: { projectId: id } });
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <ProjectFieldset form={form} />
      <FormActions onCancel={onClose} pending={pending} submit={t("projects.create")} />
    </ServerForm>
  );
}
