import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UsageControls } from "../../shared/charts/UsageControls.tsx";
import { defaultEnvironment, environmentsQuery } from "../../shared/data/environments.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EmptyProjectHint } from "../../shared/start/EmptyProjectHint.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { DEFAULT_RANGE } from "./search-params.ts";
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
  const range = search.range ?? DEFAULT_RANGE;
  return (
    <>
      <PageHeader
        title={t("insights.title")}
        description={t("insights.description")}
        actions={
          environment && (
            <UsageControls
              environments={list}
              environmentId={environment.id}
              onEnvironment={(id) =>
                void navigate({ search: { ...search, environment: id, page: undefined } })
              }
              range={range}
              onRange={(value) => void navigate({ search: { ...search, range: value } })}
            />
          )
        }
      />
      <QueryView query={environments}>
        {() =>
          environment ? (
            <EnvironmentInsights projectId={projectId} environment={environment} range={range} />
          ) : (
            <EmptyProjectHint />
          )
        }
      </QueryView>
    </>
  );
}
