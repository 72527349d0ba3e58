import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { read } from "../../shared/api/request.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ProviderOutcomeAlert } from "../../shared/session/ProviderOutcomeAlert.tsx";
import { Tokens } from "../../shared/tokens/Tokens.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { Loading, QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { useProjectName } from "./use-project-name.ts";

const route = getRouteApi("/service-accounts/$serviceAccountId");

export function ServiceAccountPage() {
  const { t } = useTranslation();
  const { serviceAccountId } = route.useParams();
  const account = useQuery(
    read("/api/v1/service-accounts/{id}", { path: { id: serviceAccountId } }),
  );
  const projectName = useProjectName();
  const { data } = account;
  return (
    <>
      <BackLink to="/service-accounts">{t("serviceAccounts.back")}</BackLink>
      <PageHeader
        title={data?.name ?? t("history.things.service-account")}
        description={
          data && projectName && `${t(`users.roles.${data.role}`)} · ${projectName(data.projectId)}`
        }
      />
      <ProviderOutcomeAlert {...route.useSearch()} />
      <QueryView query={account}>
        {(loaded) =>
          // The name of the project makes the heading higher.
          projectName ? (
            <SettingsSection title={t("tokens.title")} description={t("tokens.accountText")}>
              <Tokens owner={loaded} />
            </SettingsSection>
          ) : (
            <Loading />
          )
        }
      </QueryView>
    </>
  );
}
