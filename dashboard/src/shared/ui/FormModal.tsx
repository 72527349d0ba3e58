import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  size?: string;
  children: ReactNode;
}

/** A form over the page. What is typed in it goes with it, so a click beside it does not close it. */
export function FormModal({ title, opened, onClose, size = "md", children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={onClose}
      size={size}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {children}
    </Modal>
  );
}
