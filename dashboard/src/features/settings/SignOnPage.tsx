import { Box, List, Stack, Switch, Text } from "@mantine/core";
import { IconLogin2 } from "@tabler/icons-react";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useMutation } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CreateButton } from "../../shared/list/CreateButton.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { BackLink, LinkAnchor } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { SettingsSection } from "../../shared/ui/SettingsSection.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { settingsQuery, type Settings } from "./settings-requests.ts";
import { AddProvider } from "./EditProvider.tsx";
import { providersQuery } from "./provider-requests.ts";
import { ProviderTable } from "./ProviderTable.tsx";
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

/** The switch that turns passwords off, and what the service requires before. */
function RequireSignOn({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const change = useMutation({
    // Other settings keep their values, so the version does not matter.
    mutationFn: (isRequired: boolean) =>
      rewordError(
        send("put", "/api/v1/settings", {
          body: { passwordSignIn: isRequired ? "breakGlass" : "everyone" },
        }),
        { codes: { CONFLICT: t("identityProviders.requireConflict") } },
      ),
  });
  const turn = async (isRequired: boolean) => {
    const isConfirmed = await confirm({
      title: t(isRequired ? "identityProviders.requireAsk" : "identityProviders.allowAsk"),
      children: t(isRequired ? "identityProviders.requireText" : "identityProviders.allowText"),
      confirm: t(isRequired ? "identityProviders.requireConfirm" : "identityProviders.allow"),
      isDangerous: isRequired,
    });
    if (isConfirmed) change.mutate(isRequired);
  };
  const isRequired = settings.passwordSignIn === "breakGlass";
  return (
    <Stack gap="sm">
      {change.isError && <ErrorAlert error={change.error} />}
      <Switch
        label={t("identityProviders.require")}
        description={t("identityProviders.requireHint")}
        checked={change.isPending ? change.variables : isRequired}
        disabled={change.isPending}
        onChange={({ currentTarget }) => void turn(currentTarget.checked)}
      />
      {!isRequired && (
        <div>
          <Text size="sm">{t("identityProviders.before")}</Text>
          <List size="sm" mt={4}>
            <List.Item>{t("identityProviders.beforeSession")}</List.Item>
            <List.Item>
              <Trans
                i18nKey="identityProviders.beforeBreakGlass"
                components={{ users: <LinkAnchor inherit underline="always" to="/users" /> }}
              />
            </List.Item>
          </List>
        </div>
      )}
    </Stack>
  );
}
