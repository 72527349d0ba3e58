import {
  Alert,
  Button,
  CopyButton,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  useModalsStack,
} from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  /** What has just been made. */
  title: string;
  /** The name of the secret. */
  label: string;
  secret: string;
  /** How it is used. */
  children?: ReactNode;
  onClose: () => void;
}

/** A secret that the service shows this one time; asks before it goes away without having been copied. */
export function SecretOnce({ title, label, secret, children, onClose }: Props) {
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
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              label={label}
              value={secret}
              readOnly
              styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onCopy={() => setCopied(true)}
            />
            <CopyButton value={secret} timeout={2000}>
              {({ copied, copy }) => (
                <Button
                  data-autofocus
                  onClick={() => {
                    copy();
                    setCopied(true);
                  }}
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
