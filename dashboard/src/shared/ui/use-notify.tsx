import { Button, Group } from "@mantine/core";
import { type NotificationData, notifications } from "@mantine/notifications";
import { describeError } from "../api/describe-error.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { TraceId } from "./ErrorAlert.tsx";

/** How long a notification with a button is shown, milliseconds: enough to reach the button. */
const ACTION_MS = 10_000;

/** How long a notification that was shown before a navigation stays, milliseconds. */
const MIN_MS = 2_000;

/** When each notification about a success was shown, epoch milliseconds, by its id. */
const shownAt = new Map<string, number>();

function showDone(data: NotificationData): string {
  const id = notifications.show({ color: "green", onClose: () => shownAt.delete(id), ...data });
  shownAt.set(id, Date.now());
  return id;
}

/**
 * Hides the notifications of the page that the user has left. Those of the action that has led to the
 * new page stay, and errors stay until the user closes them.
 */
export function hideEarlierNotifications(): void {
  for (const [id, at] of shownAt) if (at < Date.now() - MIN_MS) notifications.hide(id);
}

/** Shows notifications at the edge of the page. Screen readers announce them. */
export function useNotify() {
  const { t, language } = useTranslation();
  const closeButtonProps = { "aria-label": t("common.close") };
  const withButton = (message: string, label: string, act: () => void) => {
    const id = showDone({
      closeButtonProps,
      autoClose: ACTION_MS,
      message: (
        <Group justify="space-between" wrap="nowrap">
          {message}
          <Button
            size="compact-sm"
            variant="default"
            flex="none"
            onClick={() => {
              notifications.hide(id);
              act();
            }}
          >
            {label}
          </Button>
        </Group>
      ),
    });
  };
  return {
    done: (message: string) => showDone({ message, closeButtonProps }),
    /** Notifies that an action is done, and offers a button that calls `undo`. */
    undoable: (message: string, undo: () => void) => withButton(message, t("common.undo"), undo),
    /** Notifies that an action is done, and offers a button that shows its result. */
    showable: (message: string, label: string, show: () => void) =>
      withButton(message, label, show),
    /** Shows an error until the user closes it. For actions without a form. */
    failed: (error: unknown) => {
      const { message, traceId } = describeError(t, language, error);
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
