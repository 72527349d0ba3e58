import { IconArrowsDiff, IconServer2 } from "@tabler/icons-react";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { fetchAllPages } from "../../shared/api/response.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPage } from "../../shared/list/ListPage.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { EnvironmentForm } from "./EnvironmentForm.tsx";
import { EnvironmentTable } from "./EnvironmentTable.tsx";

export function EnvironmentsPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const environments = useQuery(countedEnvironmentsQuery(projectId));
  const mayWrite = useCan("environment:write");
  return (
    <ListPage
      title={t("shell.environments")}
      description={t("environments.about")}
      query={environments}
      actions={
        (environments.data?.length ?? 0) > 1 && (
          <LinkButton
            variant="default"
            leftSection={<IconArrowsDiff size={16} stroke={1.75} aria-hidden />}
            to="/projects/$projectId/environments/compare"
            params={{ projectId }}
          >
            {t("comparison.title")}
          </LinkButton>
        )
      }
      create={
        mayWrite && {
          label: t("environments.new"),
          renderForm: (onClose) => <EnvironmentForm onClose={onClose} />,
        }
      }
      empty={{ Icon: IconServer2, title: t("environments.none"), text: t("environments.noneText") }}
    >
      {(data) => <EnvironmentTable environments={data} />}
    </ListPage>
  );
}

/**
 * The query loads the environments with their numbers of switched-on flags and of API keys. Also
 * fills `environmentsQuery`.
 */
const countedEnvironmentsQuery = (projectId: number) =>
  queryOptions({
    queryKey: ["environments", projectId, "counted"],
    queryFn: async ({ client, signal }) => {
      const environments = await fetchAllPages((page) => {
        const query = { ...page, projectId, counts: true };
        return api.GET("/api/v1/environments", { params: { query }, signal });
      });
      client.setQueryData(environmentsQuery(projectId).queryKey, environments);
      return environments;
    },
  });
