import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  size?: string;
  /** True for content that is shown only once. Neither Escape nor a close button closes it. */
  isOneTime?: boolean;
  children: ReactNode;
}

/** A click outside does not close the modal, because the user would lose the input. */
export function FormModal({
  title,
  opened,
  onClose,
  size = "md",
  isOneTime = false,
  children,
}: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={onClose}
      size={size}
      closeOnClickOutside={false}
      closeOnEscape={!isOneTime}
      withCloseButton={!isOneTime}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {children}
    </Modal>
  );
}
