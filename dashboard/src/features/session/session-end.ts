import { readEndedSession } from "../../shared/session/session-store.ts";

/**
 * After the session has ended, Escape must not close the open dialogs of the page, because their
 * input would be lost. This listener is added when the dashboard starts, so it runs before the
 * listeners of these dialogs.
 */
window.addEventListener(
  "keydown",
  (event) => {
    if (event.key === "Escape" && readEndedSession()) event.stopImmediatePropagation();
  },
  { capture: true },
);

let lastFocused: EventTarget | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (!readEndedSession()) lastFocused = target;
});

/**
 * Returns the element that had the focus last before the session ended. It takes the focus again
 * after sign-in. `document.activeElement` is not enough, because a submit button loses the focus
 * while its request runs.
 */
export const focusedBeforeEnd = (): EventTarget | null => lastFocused;
