import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { LinkButton } from "../../shared/ui/links.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { AgentClients } from "./AgentClients.tsx";
import { SettingsForm } from "./SettingsForm.tsx";
import { settingsQuery } from "./settings-requests.ts";

export function SettingsPage() {
  const { t } = useTranslation();
  const settings = useQuery(settingsQuery);
  return (
    <>
      <PageHeader title={t("shell.settings")} description={t("settings.intro")} />
      <QueryView query={settings}>
        {(loaded) => (
          <>
            <SettingsForm
              loaded={loaded}
              load={async () => (await settings.refetch({ throwOnError: true })).data ?? loaded}
            />
            <SettingsSection
              title={t("identityProviders.title")}
              description={t("identityProviders.linkText")}
            >
              <LinkButton variant="default" to="/settings/sign-on">
                {t("identityProviders.open")}
              </LinkButton>
            </SettingsSection>
            <SettingsSection title={t("agents.clients")} description={t("agents.clientsText")}>
              <AgentClients />
            </SettingsSection>
          </>
        )}
      </QueryView>
    </>
  );
}
