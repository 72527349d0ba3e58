import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  title: string | undefined;
  opened: boolean;
  /** What it shows is shown once: only its own button closes it. */
  isKept: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function StepsModal({ title, opened, isKept, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {children}
    </Modal>
  );
}
