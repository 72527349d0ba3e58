import { Box, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { ProductionChip } from "../environments/EnvironmentChip.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { dialogsReady } from "./dialogs.ts";

interface Question {
  title: string;
  /** A text that explains the consequences of the action. */
  children: ReactNode;
  /** The name of the production environment that the action changes. */
  production?: string | undefined;
  confirm: string;
  /** True for deletions and for actions that affect users. The confirm button is then red. */
  isDangerous?: boolean;
}

/** The prop of the element that takes the focus when a dialog opens. */
const AUTOFOCUS = { "data-autofocus": true };

/**
 * Returns a function that opens a confirmation dialog and resolves to whether the user has
 * confirmed. Closing the dialog does not confirm. The confirm button has the focus, so that Enter
 * confirms.
 */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation();
  return ({ title, production, children, confirm, isDangerous = false }) =>
    new Promise((resolve) => {
      const open = () =>
        modals.openConfirmModal({
          title,
          children: (
            <Text size="sm" component="div">
              {production !== undefined && (
                <Box mb="xs">
                  <ProductionChip name={production} />
                </Box>
              )}
              {children}
            </Text>
          ),
          closeButtonProps: { "aria-label": t("common.close") },
          labels: { confirm, cancel: t("common.cancel") },
          confirmProps: { color: isDangerous ? "red" : "blue", ...AUTOFOCUS },
          onConfirm: () => resolve(true),
          onCancel: () => resolve(false),
          onClose: () => resolve(false),
        });
      void dialogsReady.then(open);
    });
}
