import { ActionIcon, Button, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconKey, IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send, useDelete } from "../../shared/api/request.ts";
import type { Integration } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { OneTimeSecretModal } from "../../shared/ui/OneTimeSecretModal.tsx";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { EditIntegration } from "./EditIntegration.tsx";
import { TestButton } from "./TestButton.tsx";
import { configOf, newSecret } from "./integration-fields.ts";

export function IntegrationActions({ integration }: { integration: Integration }) {
  const { t } = useTranslation();
  const [isEditing, { open, close }] = useDisclosure(false);
  const { replaceSecret, secretModal } = useReplaceSecret(integration);
  const remove = useRemove(integration);
  return (
    <>
      {integration.enabled && <TestButton integration={integration} />}
      <Button
        variant="default"
        leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
        onClick={open}
      >
        {t("common.edit")}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size="lg" variant="default" aria-label={t("integrations.more")}>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {integration.type === "custom_webhook" && (
            <Menu.Item
              leftSection={<IconKey size={16} stroke={1.75} aria-hidden />}
              onClick={() => void replaceSecret()}
            >
              {t("integrations.newSecret")}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
            onClick={() => void remove()}
          >
            {t("integrations.delete")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditIntegration integration={integration} opened={isEditing} onClose={close} />
      {secretModal}
    </>
  );
}

/** Returns a function that asks, deletes the integration and opens the list of integrations. */
function useRemove({ id, projectId, name, version }: Integration) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const list = { to: "/projects/$projectId/integrations", params: { projectId } } as const;
  const remove = useDelete("/api/v1/integrations/{id}", () => navigate(list), {
    onSuccess: () => done(t("integrations.deleted", { name })),
    onError: failed,
  });
  return async () => {
    const isConfirmed = await confirm({
      title: t("integrations.deleteAsk", { name }),
      children: t("integrations.deleteText"),
      confirm: t("integrations.delete"),
      isDangerous: true,
    });
    if (isConfirmed) remove.mutate({ path: { id }, ifMatch: version });
  };
}

/** Returns a function that asks and replaces the secret, and a modal that shows it once. */
function useReplaceSecret(integration: Integration) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { failed } = useNotify();
  const [secret, setSecret] = useState<string>();
  const { id, name, version } = integration;
  const replace = useMutation({
    mutationFn: async (newValue: string) => {
      const { url } = configOf(integration);
      await send("put", "/api/v1/integrations/{id}", {
        path: { id },
        ifMatch: version,
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
