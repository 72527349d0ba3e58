import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import { KeyTypeChoice } from "../../shared/api-keys/KeyTypeChoice.tsx";
import type { ApiKey, Environment, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { CopyText } from "../../shared/ui/CopyText.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { SecretField } from "../../shared/ui/SecretField.tsx";
import { RoleHint } from "./RoleHint.tsx";

interface Props {
  environment: Environment;
  onCreated: (key: Schemas["CreatedApiKey"]) => void;
}

export function KeyStep({ environment, onCreated }: Props) {
  const { t } = useTranslation();
  const canCreate = useCan("api-key:write");
  const [keyType, setKeyType] = useState<ApiKey["keyType"]>("FRONTEND");
  const { mutate, isPending, error } = useWrite("post", "/api/v1/api-keys", {
    onSuccess: onCreated,
  });
  const environmentId = environment.id;
  const body = { name: t("start.keyName"), keyType, canWrite: false, environmentId };
  if (!canCreate) return <RoleHint>{t("start.adminKey")}</RoleHint>;
  return (
    <Stack gap="sm" align="flex-start">
      {error && <ErrorAlert error={error} />}
      <KeyTypeChoice label={t("start.whoAsks")} value={keyType} onChange={setKeyType} />
      <Button onClick={() => mutate({ body })} loading={isPending}>
        {t("start.createKey", { environment: environment.name })}
      </Button>
    </Stack>
  );
}

/** The secret of an API key that was just created, with a button that copies it. */
export function NewKey({ secret }: { secret: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" mt="xs">
      <Text size="sm" c="dimmed">
        {t("apiKeys.onlyOnce")}
      </Text>
      <SecretField aria-label={t("apiKeys.key")} secret={secret}>
        <CopyText value={secret} />
      </SecretField>
    </Stack>
  );
}
