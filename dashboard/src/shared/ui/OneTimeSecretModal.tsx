import { Alert, Button, Group, Modal, Stack, Text, useModalsStack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { CopyText } from "./CopyText.tsx";
import { SecretField } from "./SecretField.tsx";

interface Props {
  /** The title of the modal, such as "The key Backend was created". */
  title: string;
  label: string;
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}

/** Asks for confirmation if the user closes it without having copied the secret. */
export function OneTimeSecretModal({ title, label, secret, children, onClose }: Props) {
  const { t } = useTranslation();
  const stack = useModalsStack(["secret", "leave"]);
  const [isCopied, setCopied] = useState(false);
  const leave = () => (isCopied ? onClose() : stack.open("leave"));
  return (
    <Modal.Stack>
      <Modal
        {...stack.register("secret")}
        opened
        title={title}
        size="xl"
        onClose={leave}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack>
          <Alert
            color="yellow"
            variant="light"
            icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}
          >
            {t("apiKeys.onlyOnce")}
          </Alert>
          <SecretField label={label} secret={secret} onCopy={() => setCopied(true)}>
            <CopyText
              value={secret}
              variant="filled"
              data-autofocus
              onCopied={() => setCopied(true)}
            />
          </SecretField>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              {t("apiKeys.done")}
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Modal
        {...stack.register("leave")}
        title={t("apiKeys.leaveTitle")}
        size="sm"
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Stack>
          <Text size="sm">{t("apiKeys.leaveText")}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => stack.close("leave")}>
              {t("common.back")}
            </Button>
            <Button color="red" onClick={onClose}>
              {t("apiKeys.leave")}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Modal.Stack>
  );
}
