import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { describeError } from "../api/describe-error.ts";
import { TraceId } from "./ErrorAlert.tsx";

/**
 * How long a notification with an undo button is shown, in milliseconds: enough time to read a
 * sentence and reach the button.
 */
const UNDO_MS = 10_000;

/**
 * Returns functions that show notifications at the edge of the page. Screen readers announce the
 * notifications.
 */
export function useNotify() {
  const { t, i18n } = useTranslation();
  const closeButtonProps = { "aria-label": t("common.close") };
  return {
    done: (message: string) => notifications.show({ message, color: "green", closeButtonProps }),
    /** Notifies that an action is done, and offers a button that calls `undo`. */
    undoable: (message: string, undo: () => void) => {
      const id = notifications.show({
        color: "green",
        closeButtonProps,
        autoClose: UNDO_MS,
        message: (
          <Group justify="space-between" wrap="nowrap">
            {message}
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              onClick={() => {
                notifications.hide(id);
                undo();
              }}
            >
              {t("common.undo")}
            </Button>
          </Group>
        ),
      });
    },
    /**
     * Shows an error until the user closes the notification. For actions without a form that could
     * display the error.
     */
    failed: (error: unknown) => {
      const { message, traceId } = describeError(t, i18n.language, error);
      notifications.show({
        color: "red",
        closeButtonProps,
        autoClose: false,
        role: "alert",
        message: (
          <>
            {message}
            {traceId !== undefined && <TraceId id={traceId} />}
          </>
        ),
      });
    },
  };
}
