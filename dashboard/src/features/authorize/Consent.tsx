import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { rewordError } from "../../shared/api/reword-error.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { CurrentPasswordField } from "../../shared/session/CurrentPasswordField.tsx";
import { confirmationOf } from "../../shared/session/own-account.ts";
import { initialRights, type Rights, rightsOf } from "../../shared/tokens/token-limits.ts";
import { TokenRights } from "../../shared/tokens/TokenRights.tsx";
import { useRightsRules } from "../../shared/tokens/use-rights-rules.ts";
import { type TokenChoices, useTokenChoices } from "../../shared/tokens/use-token-choices.ts";
import { DialogFooter } from "../../shared/ui/DialogFooter.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { type Authorization, decide } from "./authorize-requests.ts";

interface Props {
  query: string;
  authorization: Authorization;
  /** Takes the URL at which the browser tells the client the decision. */
  onDecided: (redirectTo: string) => void;
}

/** Who asks, where the answer goes, and the form with which the user decides. */
export function Consent(props: Props) {
  const { clientName, clientHost, redirectHost, isLocal } = props.authorization;
  const { t } = useTranslation();
  const choices = useTokenChoices(undefined);
  return (
    <Stack>
      <div>
        <Text fw={500}>{t("agents.asks", { name: clientName })}</Text>
        <Text size="sm">
          {clientHost === null ? (
            t("agents.registered")
          ) : (
            <Trans
              i18nKey="agents.clientHost"
              values={{ host: clientHost }}
              components={{ code: <Code /> }}
            />
          )}
        </Text>
        <Text size="sm">
          <Trans
            i18nKey={isLocal ? "agents.redirectLocal" : "agents.redirect"}
            values={{ host: redirectHost }}
            components={{ code: <Code /> }}
          />
        </Text>
      </div>
      <Alert
        color="yellow"
        icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}
        title={t("device.warning")}
      >
        {t(isLocal ? "agents.warningLocal" : "agents.warning", { name: clientName })}
      </Alert>
      {choices ? (
        <ConfirmIdentity>
          {(confirmedUntil) => (
            <ConsentForm {...props} choices={choices} confirmedUntil={confirmedUntil} />
          )}
        </ConfirmIdentity>
      ) : (
        <Loading />
      )}
    </Stack>
  );
}

type Fields = Rights & { currentPassword: string };

interface FormProps extends Props {
  choices: TokenChoices;
  /** Until when no password is needed; null if it is (`ConfirmIdentity`). */
  confirmedUntil: string | null;
}

function ConsentForm({ query, authorization, choices, confirmedUntil, onDecided }: FormProps) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const { environments } = choices;
  const { scopes: offered } = authorization;
  const approve = useMutation({ mutationFn: decide });
  const deny = useMutation({
    mutationFn: () => decide({ decision: "deny", query }),
    onSuccess: ({ redirectTo }) => onDecided(redirectTo),
    onError: failed,
  });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: { ...initialRights([...offered]), currentPassword: "" },
      validate: {
        ...useRightsRules(environments),
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
      },
    },
    submit: async (fields) => {
      const { redirectTo } = await rewordError(
        approve.mutateAsync({
          decision: "approve",
          query,
          ...rightsOf(fields, environments),
          scopes: offered.filter((scope) => fields.scopes.includes(scope)),
          ...confirmationOf(fields.currentPassword),
        }),
        {
          codes: { QUOTA_EXCEEDED: t("agents.quota") },
          fields: { currentPassword: t("account.currentWrong") },
        },
      );
      onDecided(redirectTo);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TokenRights
        choices={choices}
        offered={offered}
        value={form.values}
        onChange={(change) => form.setValues(change)}
        errors={form.errors}
      />
      <CurrentPasswordField
        confirmedUntil={confirmedUntil}
        label={t("account.currentPassword")}
        description={t("device.passwordHint")}
        {...form.getInputProps("currentPassword")}
      />
      <DialogFooter>
        <Button
          variant="default"
          disabled={pending}
          loading={deny.isPending}
          onClick={() => deny.mutate()}
        >
          {t("device.deny")}
        </Button>
        <Button type="submit" loading={pending} disabled={deny.isPending}>
          {t("agents.approve")}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}
