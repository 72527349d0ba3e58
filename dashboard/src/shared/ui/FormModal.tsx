import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  size?: string;
  /** What it shows is shown once: only its own button closes it. */
  isKept?: boolean;
  children: ReactNode;
}

/** A form over the page. What is typed in it goes with it, so a click beside it does not close it. */
export function FormModal({
  title,
  opened,
  onClose,
  size = "md",
  isKept = false,
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
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {children}
    </Modal>
  );
}
