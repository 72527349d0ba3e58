import { modals } from "@mantine/modals";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { dialogsReady } from "./dialogs.ts";

export interface Question {
  readonly title: string;
  /** A text that explains the consequences of the action. */
  readonly children: ReactNode;
  readonly confirm: string;
  /** True for deletions and for actions that affect users. The confirm button is then red. */
  readonly isDangerous?: boolean;
  /** The name of the production environment that the action changes. */
  readonly production?: string;
  /** Whether the dialog has an input for the reason, which may be required. Default: false. */
  readonly asksReason?: boolean | "required";
  /** The reason that the input has at first. By default, it is empty. */
  readonly reason?: string;
}

/** The answer of a user who has confirmed. The reason is empty if the user has given none. */
export interface Confirmation {
  readonly reason: string;
}

/** A question may follow from a dialog, whose layer is 200. Menus of a dialog are at 300. */
const ABOVE_DIALOGS = 250;

/**
 * Returns a function that opens a confirmation dialog and resolves to the answer, or to undefined
 * if the user closes the dialog without confirming. The confirm button has the focus, so that Enter
 * confirms.
 */
export function useQuestion(): (question: Question) => Promise<Confirmation | undefined> {
  const { t } = useTranslation();
  return async (question) => {
    await dialogsReady;
    return new Promise((resolve) => {
      modals.openContextModal({
        modal: "confirm",
        zIndex: ABOVE_DIALOGS,
        title: question.title,
        closeButtonProps: { "aria-label": t("common.close") },
        onClose: () => resolve(undefined),
        innerProps: { question, onConfirm: resolve },
      });
    });
  };
}

/** As `useQuestion`, but the function resolves to whether the user has confirmed. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const ask = useQuestion();
  return async (question) => (await ask(question)) !== undefined;
}
