import { Alert, Code, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConfirmIdentity } from "../../shared/session/ConfirmIdentity.tsx";
import { ApprovalForm } from "../../shared/tokens/ApprovalForm.tsx";
import { useTokenChoices } from "../../shared/tokens/use-token-choices.ts";
import { Loading } from "../../shared/ui/QueryView.tsx";

export type Authorization = Schemas["Authorization"];

const decide = (body: Schemas["Consent"]) => send("post", "/api/oauth/consent", { body });

interface Props {
  query: string;
  authorization: Authorization;
  /** Takes the URL at which the browser tells the client the decision. */
  onDecided: (redirectTo: string) => void;
}

/** Who asks, where the answer goes, and the form with which the user decides. */
export function Consent({ query, authorization, onDecided }: Props) {
  const { clientName, clientHost, redirectHost, isLocal, scopes: offered } = authorization;
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
            <ApprovalForm
              choices={choices}
              confirmedUntil={confirmedUntil}
              offered={offered}
              initial={offered}
              approveLabel={t("agents.approve")}
              approve={(approval) => {
                const scopes = offered.filter((scope) => approval.scopes.includes(scope));
                return decide({ decision: "approve", query, ...approval, scopes });
              }}
              deny={() => decide({ decision: "deny", query })}
              errorTexts={{ QUOTA_EXCEEDED: t("agents.quota") }}
              onDecided={({ redirectTo }) => onDecided(redirectTo)}
            />
          )}
        </ConfirmIdentity>
      ) : (
        <Loading />
      )}
    </Stack>
  );
}
