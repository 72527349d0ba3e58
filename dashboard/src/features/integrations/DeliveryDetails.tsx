import { Badge, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Delivery } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CodeBlock } from "../../shared/ui/CodeBlock.tsx";

type Attempt = Delivery["attemptLog"][number];

/** The attempts with the responses of the receiver, and the request. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const { request, attemptLog, webhookId } = delivery;
  return (
    <Stack gap="md">
      <Part title={t("integrations.attemptLog", { count: attemptLog.length })}>
        {attemptLog.length === 0 && <Text size="sm">{t("integrations.noAttempt")}</Text>}
        {attemptLog.map((attempt) => (
          <AttemptReport key={attempt.at} attempt={attempt} />
        ))}
      </Part>
      <Part title={t("integrations.request")}>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          webhook-id: {webhookId}
        </Text>
        <CodeBlock label={t("integrations.request")}>{JSON.stringify(request, null, 2)}</CodeBlock>
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}

function AttemptReport({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  const { at, status, durationMs, response, error } = attempt;
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Badge variant="dot" color={error === null ? "green" : "red"}>
          {status ?? t("integrations.noAnswer")}
        </Badge>
        <Text size="sm">
          {dateTime(at)} · {t("integrations.ms", { ms: number(durationMs) })}
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {response !== null &&
        (response === "" ? (
          <Text size="xs" c="dimmed">
            {t("integrations.emptyResponse")}
          </Text>
        ) : (
          <CodeBlock label={t("integrations.response")}>{response}</CodeBlock>
        ))}
    </Stack>
  );
}
