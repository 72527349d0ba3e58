import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { SCOPES } from "@feature-flags/permissions/permissions";
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
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { approveDeviceLogin, denyDeviceLogin, type DeviceLogin } from "./device-requests.ts";

/** Returns a user code as the device shows it, also if the user has typed small letters or no dash. */
const shownUserCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, "")
    .replace(/^.{4}/, "$&-");

interface Props {
  userCode: string;
  login: DeviceLogin;
  onDecided: (login: DeviceLogin) => void;
}

/** What asks for a token, a warning, and the form with which the user approves or denies. */
export function Decision(props: Props) {
  const { userCode, login } = props;
  const { t } = useTranslation();
  const choices = useTokenChoices(undefined);
  return (
    <Stack>
      <div>
        <Text fw={500}>{t("device.asks", { name: login.clientName })}</Text>
        <Text size="sm" c="dimmed">
          <Trans
            i18nKey="device.from"
            values={{ ip: login.ip ?? t("device.unknownAddress") }}
            components={{ time: <TimeAgo at={login.createdAt} /> }}
          />
          {login.userAgent !== null && <> · {login.userAgent}</>}
        </Text>
      </div>
      <Alert
        color="yellow"
        icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}
        title={t("device.warning")}
      >
        <Trans
          i18nKey="device.warningText"
          values={{ code: shownUserCode(userCode) }}
          components={{ code: <Code /> }}
        />
      </Alert>
      {choices ? (
        <ConfirmIdentity>
          {(confirmedUntil) => (
            <DecisionForm {...props} choices={choices} confirmedUntil={confirmedUntil} />
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

function DecisionForm({ userCode, choices, confirmedUntil, onDecided }: FormProps) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const { environments } = choices;
  const unknown = { NOT_FOUND: t("device.unknown") };
  const approve = useMutation({ mutationFn: approveDeviceLogin });
  const deny = useMutation({
    mutationFn: () => rewordError(denyDeviceLogin(userCode), { codes: unknown }),
    onSuccess: onDecided,
    onError: failed,
  });
  const { form, pending, error, onSubmit } = useServerForm<Fields>({
    form: {
      initialValues: { ...initialRights(["read", "write"]), currentPassword: "" },
      validate: {
        ...useRightsRules(environments),
        ...(confirmedUntil === null && { currentPassword: isNotEmpty(t("common.required")) }),
      },
    },
    submit: async (fields) => {
      const confirmation = confirmationOf(fields.currentPassword);
      const approved = await rewordError(
        approve.mutateAsync({ userCode, ...rightsOf(fields, environments), ...confirmation }),
        {
          codes: { ...unknown, QUOTA_EXCEEDED: t("tokens.quota") },
          fields: { currentPassword: t("account.currentWrong") },
        },
      );
      onDecided(approved);
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TokenRights
        choices={choices}
        offered={SCOPES}
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
          {t("device.approve")}
        </Button>
      </DialogFooter>
    </ServerForm>
  );
}
