import { Box } from "@mantine/core";
import { IconLogin2 } from "@tabler/icons-react";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { settingsQuery } from "./settings-requests.ts";
import { AddProvider } from "./EditProvider.tsx";
import { providersQuery } from "./provider-requests.ts";
import { ProviderTable } from "./ProviderTable.tsx";
import { RequireSignOn } from "./RequireSignOn.tsx";
import { TestResult } from "./TestResult.tsx";

/** The identity providers, and whether passwords still work. */
export function SignOnPage() {
  const { t } = useTranslation();
  const providers = useQuery(providersQuery);
  const settings = useQuery(settingsQuery);
  const [isAdding, adding] = useDisclosure(false);
  const button = <CreateButton onClick={adding.open}>{t("identityProviders.add")}</CreateButton>;
  return (
    <>
      <BackLink to="/settings">{t("shell.settings")}</BackLink>
      <PageHeader
        title={t("identityProviders.title")}
        description={t("identityProviders.intro")}
        actions={(providers.data?.length ?? 0) > 0 && button}
      />
      <QueryView query={providers}>
        {(loaded) => (
          <>
            <TestResult providers={loaded} />
            <Box mb="xl">
              {loaded.length > 0 ? (
                <ProviderTable providers={loaded} />
              ) : (
                <EmptyState
                  Icon={IconLogin2}
                  title={t("identityProviders.none")}
                  docs="/docs/sign-on.md"
                  action={button}
                >
                  {t("identityProviders.noneText")}
                </EmptyState>
              )}
            </Box>
            <QueryView query={settings}>
              {(known) => (
                <SettingsSection
                  title={t("identityProviders.passwords")}
                  description={t("identityProviders.passwordsText")}
                >
                  <RequireSignOn settings={known} />
                </SettingsSection>
              )}
            </QueryView>
          </>
        )}
      </QueryView>
      <FormModal
        title={t("identityProviders.add")}
        opened={isAdding}
        onClose={adding.close}
        size="lg"
      >
        <AddProvider onClose={adding.close} />
      </FormModal>
    </>
  );
}
