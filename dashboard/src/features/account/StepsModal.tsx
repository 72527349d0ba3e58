import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  title: string | undefined;
  opened: boolean;
  /** What it shows is shown once: only its own button closes it. */
  isKept: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function StepsModal({ title, opened, isKept, onClose, children }: Props) {
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isKept}
      withCloseButton={!isKept}
    >
      {children}
    </Modal>
  );
}
