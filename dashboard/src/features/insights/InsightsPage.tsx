import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UsageControls } from "../../shared/charts/UsageControls.tsx";
import { defaultEnvironment, environmentsQuery } from "../../shared/data/environments.ts";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EmptyProjectHint } from "../../shared/start/EmptyProjectHint.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { EnvironmentInsights } from "./EnvironmentInsights.tsx";

const route = getRouteApi("/projects/$projectId/insights");

export function InsightsPage() {
  const { t } = useTranslation();
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery(projectId));
  const list = environments.data ?? [];
  const environment = list.find(({ id }) => id === search.environment) ?? defaultEnvironment(list);
  return (
    <>
      <PageHeader
        title={t("insights.title")}
        description={t("insights.description")}
        actions={
          environment && (
            <>
              <EnvironmentSelect
                w="11rem"
                aria-label={t("insights.environment")}
                environments={list}
                value={environment.id}
                onChange={(id) =>
                  void navigate({ search: { ...search, environment: id, page: undefined } })
                }
              />
              <UsageControls
                environments={list}
                environmentId={environment.id}
                search={search}
                onChange={(changed) => void navigate({ search: { ...search, ...changed } })}
              />
            </>
          )
        }
      />
      <QueryView query={environments}>
        {() =>
          environment ? (
            <EnvironmentInsights
              projectId={projectId}
              environment={environment}
              environments={list}
              search={search}
            />
          ) : (
            <EmptyProjectHint />
          )
        }
      </QueryView>
    </>
  );
}
