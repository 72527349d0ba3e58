import { Modal, useModalsStack } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import { LeaveDialog } from "./LeaveDialog.tsx";

interface Props {
  title: string;
  opened: boolean;
  onClose: () => void;
  size?: string;
  /** True for content that is shown only once. Neither Escape nor a close button closes it. */
  isOneTime?: boolean;
  /** True for a confirmation. It closes without a question, because its input is quickly repeated. */
  isConfirmation?: boolean;
  children: ReactNode;
}

/**
 * A click outside does not close the modal, because the user would lose the input. Escape and the
 * close button ask first if there is input. Buttons in `children` close it without a question.
 */
export function FormModal({
  title,
  opened,
  onClose,
  size = "md",
  isOneTime = false,
  isConfirmation = false,
  children,
}: Props) {
  const { t } = useTranslation();
  const stack = useModalsStack(["form", "leave"]);
  const hasInput = useRef(false);
  useEffect(() => {
    if (!opened) hasInput.current = false;
  }, [opened]);

  const close = () => {
    // `closeOnEscape` has no effect in a `Modal.Stack`.
    if (isOneTime) return;
    if (hasInput.current && !isConfirmation) stack.open("leave");
    else onClose();
  };

  return (
    <Modal.Stack>
      <Modal
        {...stack.register("form")}
        title={title}
        opened={opened}
        onClose={close}
        size={size}
        closeOnClickOutside={false}
        withCloseButton={!isOneTime}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <div
          onInput={() => {
            hasInput.current = true;
          }}
        >
          {children}
        </div>
      </Modal>
      <LeaveDialog
        {...stack.register("leave")}
        title={t("flag.leaveTitle")}
        text={t("flag.leaveText")}
        leave={t("flag.leave")}
        onLeave={() => {
          stack.close("leave");
          onClose();
        }}
      />
    </Modal.Stack>
  );
}
