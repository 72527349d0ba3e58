import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import { flushSync } from "react-dom";
import { PROJECT_PAGES, useCurrentProjectId, useOrganisationPages } from "./navigation-pages.ts";
import { areShortcutsOn } from "./shortcut-setting.ts";
import { PAGE_KEYS, pressedBy, PROJECTS_KEY } from "./shortcuts.ts";

/** How long the dashboard waits for the letter after `g`, milliseconds. */
const SEQUENCE_MS = 1_500;

/**
 * A time before every key. The time 0 would be wrong, because `performance.now()` starts at 0 when a
 * page loads, so that a key in the first moments would look like the letter after `g`.
 */
const NEVER = Number.NEGATIVE_INFINITY;

interface Actions {
  openPalette: () => void;
  openHelp: () => void;
}

/**
 * With Ctrl or Command: K opens the palette, S and Enter save. The shortcuts of one key: `/` search,
 * `?` help, `g` with a letter for a page, and the `aria-keyshortcuts` of the page's buttons, such as
 * `n` for a new item. They do nothing while the user types or a
 * dialog is open. The user can switch them off, as WCAG 2.1.4 requires.
 */
export function useShortcuts({ openPalette, openHelp }: Actions): void {
  const router = useRouter();
  const projectId = useCurrentProjectId();
  const organisation = useOrganisationPages();
  const startedAt = useRef(NEVER);

  const go = (key: string): boolean => {
    const inProject = PROJECT_PAGES.find(({ name }) => PAGE_KEYS[name] === key);
    const page = organisation.find(({ name }) => PAGE_KEYS[name] === key);
    if (inProject && projectId !== undefined)
      void router.navigate({ to: inProject.to, params: { projectId } });
    else if (page) void router.navigate({ to: page.to });
    else if (key === PROJECTS_KEY) void router.navigate({ to: "/projects" });
    else return false;
    return true;
  };

  const run = (key: string): boolean => {
    if (performance.now() - startedAt.current < SEQUENCE_MS) {
      startedAt.current = NEVER;
      if (go(key)) return true;
    }
    switch (key) {
      case "g":
        startedAt.current = performance.now();
        return true;
      case "/":
        if (!focusSearch()) openPalette();
        return true;
      case "?":
        openHelp();
        return true;
      default:
        return press(key);
    }
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isSaveKey(event)) {
      if (clickSave(event)) event.preventDefault();
      return;
    }
    if (isPaletteKey(event)) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.repeat || event.isComposing || !areShortcutsOn() || isTyping(event)) return;
    if (run(event.key.toLowerCase())) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Whether the key is Ctrl or Command with K, which opens the palette from everywhere. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** Whether the key is Ctrl or Command with S or Enter. */
const isSaveKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (key.toLowerCase() === "s" || key === "Enter") && ctrlKey !== metaKey && !altKey && !shiftKey;

/**
 * Presses the save button of the form with the focus, else of the only form in the open dialog or
 * on the page. Returns whether there is such a form. A key that repeats presses no button.
 */
function clickSave(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  const focused = target instanceof HTMLElement ? target : document.body;
  const dialog = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1);
  const area = dialog ?? document.querySelector("#content");
  const buttons = area?.querySelectorAll<HTMLButtonElement>("button[type=submit]") ?? [];
  const form = focused.closest("form");
  const candidates = [...buttons].filter((button) => form === null || button.form === form);
  const [button] = candidates;
  if (button === undefined || candidates.length > 1) return false;
  if (event.repeat || event.isComposing) return true;
  // An input takes over what the user typed when it loses the focus.
  flushSync(() => focused.blur());
  focused.focus({ preventScroll: true });
  button.click();
  return true;
}

/** Whether the key goes to an input, or a dialog or a menu is open. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [role=combobox]"))
  );
}

function focusSearch(): boolean {
  const input = document.querySelector<HTMLInputElement>(
    '#content search input, #content input[type="search"]',
  );
  input?.focus();
  input?.select();
  return input !== null;
}

function press(key: string): boolean {
  const button = document.querySelector<HTMLElement>(pressedBy(key));
  button?.click();
  return button !== null;
}
