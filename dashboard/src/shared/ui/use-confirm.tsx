import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Question {
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** The words on the button: what it does. */
  confirm: string;
  /** It cannot be taken back, or concerns customers. */
  isDangerous?: boolean;
}

/** Asks before it is done; resolves to whether the answer was yes. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation();
  return ({ title, children, confirm, isDangerous = false }) =>
    new Promise((resolve) => {
      modals.openConfirmModal({
        title,
        children: (
          <Text size="sm" component="div">
            {children}
          </Text>
        ),
        closeButtonProps: { "aria-label": t("common.close") },
        labels: { confirm, cancel: t("common.cancel") },
        confirmProps: { color: isDangerous ? "red" : "blue" },
        onConfirm: () => resolve(true),
        onCancel: () => resolve(false),
        onClose: () => resolve(false),
      });
    });
}
