import { Alert, Button, Modal, Stack, useModalsStack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { CopyText } from "./CopyText.tsx";
import { SecretField } from "./SecretField.tsx";
import { DialogFooter } from "./DialogFooter.tsx";
import { LeaveDialog } from "./LeaveDialog.tsx";

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
          <DialogFooter>
            <Button variant="default" onClick={leave}>
              {t("apiKeys.done")}
            </Button>
          </DialogFooter>
        </Stack>
      </Modal>
      <LeaveDialog
        {...stack.register("leave")}
        title={t("apiKeys.leaveTitle")}
        text={t("apiKeys.leaveText")}
        leave={t("apiKeys.leave")}
        onLeave={onClose}
      />
    </Modal.Stack>
  );
}
