import { List, Stack, Switch, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import type { Settings } from "./settings-requests.ts";

/** The switch that turns passwords off, and what the service requires before. */
export function RequireSignOn({ settings }: { settings: Settings }) {
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
