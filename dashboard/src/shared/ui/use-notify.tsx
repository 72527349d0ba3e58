import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { describeError } from "../api/describe-error.ts";
import { TraceId } from "./ErrorAlert.tsx";

/** In milliseconds: long enough to read a sentence and reach the button. */
const UNDO_MS = 10_000;

/** Short notifications at the edge of the page, which screen readers announce. */
export function useNotify() {
  const { t, i18n } = useTranslation();
  const closeButtonProps = { "aria-label": t("common.close") };
  return {
    done: (message: string) => notifications.show({ message, color: "green", closeButtonProps }),
    /** The action is already done; the button undoes it. */
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
    /** For an action without a form that could display the error. */
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
