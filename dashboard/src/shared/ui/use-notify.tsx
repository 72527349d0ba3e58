import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import { describeError } from "../api/describe-error.ts";
import { TraceId } from "./ErrorAlert.tsx";

/** Time enough to read a sentence and to reach the button. */
const UNDO_MS = 10_000;

/** Short words at the edge of the page, announced politely. */
export function useNotify() {
  const { t, i18n } = useTranslation();
  const closeButtonProps = { "aria-label": t("common.close") };
  return {
    done: (message: string) => notifications.show({ message, color: "green", closeButtonProps }),
    /** Done already; the button takes it back. */
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
    /** For what has no form where it could stand. */
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
