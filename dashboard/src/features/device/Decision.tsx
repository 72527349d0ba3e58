import { Alert, Code, Stack, Text } from "@mantine/core";
import { SCOPES } from "@feature-flags/permissions/permissions";
import { IconAlertTriangle } from "@tabler/icons-react";
import { send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { rewordError } from "../../shared/api/reword-error.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { ApprovalForm } from "../../shared/tokens/ApprovalForm.tsx";
import { useTokenChoices } from "../../shared/tokens/use-token-choices.ts";
import { Loading } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";

export type DeviceLogin = Schemas["DeviceLogin"];

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
export function Decision({ userCode, login, onDecided }: Props) {
  const { t } = useTranslation();
  const unknown = { NOT_FOUND: t("device.unknown") };
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
            <ApprovalForm
              choices={choices}
              confirmedUntil={confirmedUntil}
              offered={SCOPES}
              initial={["read", "write"]}
              approveLabel={t("device.approve")}
              approve={(approval) =>
                send("post", "/api/v1/auth/device/approve", { body: { userCode, ...approval } })
              }
              deny={() =>
                rewordError(send("post", "/api/v1/auth/device/deny", { body: { userCode } }), {
                  codes: unknown,
                })
              }
              errorTexts={{ ...unknown, QUOTA_EXCEEDED: t("tokens.quota") }}
              onDecided={onDecided}
            />
          )}
        </ConfirmIdentity>
      ) : (
        <Loading />
      )}
    </Stack>
  );
}
