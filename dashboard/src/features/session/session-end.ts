import { readEndedSession } from "../../shared/session/session-store.ts";

let lastFocused: EventTarget | null = null;

/**
 * Adds the event listeners that the page needs when the session ends while the page is open. Called
 * when the dashboard starts, so that they run before the listeners of dialogs.
 */
export function prepareForSessionEnd(): void {
  // Escape must not close the open dialogs of the page, because their input would be lost.
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && readEndedSession()) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  document.addEventListener("focusin", ({ target }) => {
    if (!readEndedSession()) lastFocused = target;
  });
}

/**
 * Returns the element that had the focus last before the session ended. It takes the focus again
 * after sign-in. `document.activeElement` is not enough, because a submit button loses the focus
 * while its request runs.
 */
export const focusedBeforeEnd = (): EventTarget | null => lastFocused;
