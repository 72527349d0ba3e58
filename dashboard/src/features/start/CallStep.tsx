import { Alert, Button, Code, Group, Loader, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { dataOf } from "../../shared/api/response.ts";
import { publicApi } from "../../shared/api/public-client.ts";
import type { ApiKey, Flag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SdkSnippets } from "../../shared/sdk-snippets/SdkSnippets.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";

interface Props {
  keyType: ApiKey["keyType"];
  /** Undefined for an older API key, because the service returns a secret only once. */
  secret: string | undefined;
  flag: Flag | undefined;
  isCalled: boolean;
  /** Called when the user has evaluated the flag from this page. */
  onEvaluated: () => void;
}

/** Code to copy and, while the secret is known, a button that evaluates the flag here. */
export function CallStep({ keyType, secret, flag, isCalled, onEvaluated }: Props) {
  const { t } = useTranslation();
  if (keyType === "FRONTEND" && flag?.clients === "server")
    return <Text size="sm">{t("clients.notForBrowsers")}</Text>;
  return (
    <Stack gap="md">
      {secret !== undefined && flag && (
        <CallFromPage secret={secret} flag={flag} onEvaluated={onEvaluated} />
      )}
      <div>
        <Text size="sm" mb="xs">
          {secret === undefined ? <WithOwnKey /> : t("start.orInCode")}
        </Text>
        <SdkSnippets apiKey={secret ?? t("start.yourKey")} keyType={keyType} flag={flag} />
      </div>
      {!isCalled && (
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            {t("start.waiting")}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function WithOwnKey() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  if (!useCan("api-key:write")) return <>{t("start.withYourKey")}</>;
  return (
    <Trans
      i18nKey="start.withYourKeyOrAnother"
      components={{
        another: <LinkAnchor to="/projects/$projectId/api-keys" params={{ projectId }} />,
      }}
    />
  );
}

interface RunProps {
  secret: string;
  flag: Flag;
  onEvaluated: () => void;
}

function CallFromPage({ secret, flag, onEvaluated }: RunProps) {
  const { t } = useTranslation();
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: () =>
      dataOf(
        publicApi.POST("/api/client/evaluate", {
          headers: { Authorization: `Bearer ${secret}` },
          body: { context: { targetingKey: "first-call" }, toggles: [flag.key] },
        }),
      ),
    onSuccess: onEvaluated,
  });
  const verdict = data?.evaluations[flag.key];
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        onClick={() => mutate()}
        loading={isPending}
        leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden />}
      >
        {t("start.runHere")}
      </Button>
      {error && <ErrorAlert error={error} />}
      <div role="status">
        {verdict && (
          <Alert color={verdict.enabled ? "green" : "gray"} variant="light">
            {verdict.enabled
              ? t("start.answerOn", { flag: flag.name })
              : t("start.answerOff", { flag: flag.name })}{" "}
            <Code>{verdict.reason}</Code>
          </Alert>
        )}
      </div>
    </Stack>
  );
}
