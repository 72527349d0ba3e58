import { Button, Modal, type ModalProps, Stack, Text } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import { DialogFooter } from "./DialogFooter.tsx";

interface Props extends ModalProps {
  text: string;
  /** The label of the button that calls `onLeave`. */
  leave: string;
  onLeave: () => void;
}

/**
 * Asks before another dialog closes and loses something. Both are in one `Modal.Stack`, so that
 * Escape closes only this one.
 */
export function LeaveDialog({ text, leave, onLeave, ...modal }: Props) {
  const { t } = useTranslation();
  return (
    <Modal {...modal} size="sm" closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack>
        <Text size="sm">{text}</Text>
        <DialogFooter>
          <Button variant="default" data-autofocus onClick={modal.onClose}>
            {t("common.back")}
          </Button>
          <Button color="red" onClick={onLeave}>
            {leave}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
