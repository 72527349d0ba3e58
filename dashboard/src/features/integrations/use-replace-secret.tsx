import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { etag } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { configOf, newSecret } from "./integration-fields.ts";

/** Returns a function that asks and replaces the secret, and a modal that shows it once. */
export function useReplaceSecret(integration: Integration) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { failed } = useNotify();
  const [secret, setSecret] = useState<string>();
  const { id, name, version } = integration;
  const replace = useMutation({
    mutationFn: async (newValue: string) => {
      const { url } = configOf(integration);
      await api.PUT("/api/v1/integrations/{id}", {
        params: { path: { id }, header: { "If-Match": etag(version) } },
        body: { configJson: JSON.stringify({ url, secret: newValue }) },
      });
    },
    onSuccess: (_response, newValue) => setSecret(newValue),
    onError: failed,
  });
  return {
    replaceSecret: async () => {
      const isConfirmed = await confirm({
        title: t("integrations.newSecretAsk"),
        children: t("integrations.newSecretText"),
        confirm: t("integrations.newSecret"),
        isDangerous: true,
      });
      if (isConfirmed) replace.mutate(newSecret());
    },
    secretModal: secret !== undefined && (
      <OneTimeSecretModal
        title={t("integrations.hasNewSecret", { name })}
        label={t("integrations.secret")}
        secret={secret}
        onClose={() => setSecret(undefined)}
      >
        <Text size="sm">{t("integrations.secretUse")}</Text>
      </OneTimeSecretModal>
    ),
  };
}
