import { Button, CopyButton, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer } from "../../shared/api/answer.ts";
import { api } from "../../shared/api/client.ts";
import type { ApiKey, Environment, Schemas } from "../../shared/api/types.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import classes from "./Steps.module.css";
import { Waiting } from "./Waiting.tsx";

const TYPES = ["FRONTEND", "SERVER"] as const satisfies readonly ApiKey["keyType"][];

interface Props {
  environment: Environment;
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
}

export function KeyStep({ environment, onCreated }: Props) {
  const { t } = useTranslation();
  const canCreate = useCan("api-key:write");
  const [keyType, setKeyType] = useState<ApiKey["keyType"]>("FRONTEND");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      answer(
        api.POST("/api/v1/api-keys", {
          body: { name: t("start.keyName"), keyType, environmentId: environment.id },
        }),
      ),
    onSuccess: onCreated,
  });
  if (!canCreate) return <Waiting>{t("start.adminKey")}</Waiting>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <Radio.Group
        label={t("start.whoAsks")}
        value={keyType}
        onChange={(value) => setKeyType(value === "SERVER" ? "SERVER" : "FRONTEND")}
      >
        <div className={classes.types}>
          {TYPES.map((type) => (
            <Radio.Card key={type} value={type} p="sm" mt={4}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <Radio.Indicator />
                <div>
                  <Text size="sm" fw={600}>
                    {t(`apiKeys.typeChoices.${type}`)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t(`apiKeys.typesAtLength.${type}`)}
                  </Text>
                </div>
              </Group>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Button onClick={() => mutate()} loading={isPending}>
        {t("start.createKey", { environment: environment.name })}
      </Button>
    </Stack>
  );
}

/** The key that was just created. */
export function KeyOnce({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" mt="xs">
      <Text size="sm" c="dimmed">
        {t("apiKeys.onlyOnce")}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={t("apiKeys.key")}
          value={secret}
          readOnly
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <CopyButton value={secret} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={
                copied ? (
                  <IconCheck size={16} stroke={1.75} aria-hidden />
                ) : (
                  <IconCopy size={16} stroke={1.75} aria-hidden />
                )
              }
            >
              {copied ? t("common.copied") : t("common.copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
