import type { Page } from "./test.ts";

type Locator = ReturnType<Page["locator"]>;

/** The most times that a user presses Tab or an arrow key to reach a control. */
const MAX_STEPS = 150;

/** The roles of the controls that Space activates, and not Enter. */
const TOGGLES: ReadonlySet<string> = new Set(["switch", "checkbox", "radio"]);

/** The keys that move between the controls of one widget. Tab moves to all other controls. */
const MOVES: Readonly<Record<string, string>> = {
  menuitem: "ArrowDown",
  option: "ArrowDown",
  tab: "ArrowRight",
};

/** What a user does on a page. */
export interface User {
  readonly page: Page;
  /** Activates a button, link, switch, tab, menu item or option. */
  activate(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Types a text where the focus is. */
  type(text: string): Promise<void>;
}

/** A user without a mouse. Reaches each control with Tab, or with the arrow keys inside a widget. */
export function keyboardUser(page: Page): User {
  const press = (key: string) => page.keyboard.press(key);
  /** Moves the focus to the control, and returns the role of the control. */
  const reach = async (target: Locator): Promise<string> => {
    await target.waitFor();
    for (let step = 0; step < MAX_STEPS; step++) {
      const { role, key } = await nextStep(target);
      if (key === undefined) return role;
      await press(key);
    }
    throw new Error(`The keyboard does not reach ${String(target)} in ${MAX_STEPS} steps`);
  };
  return {
    page,
    press,
    type: (text) => page.keyboard.type(text),
    activate: async (target) => {
      await press(TOGGLES.has(await reach(target)) ? "Space" : "Enter");
    },
    write: async (field, text) => {
      await reach(field);
      await press("ControlOrMeta+A");
      await page.keyboard.insertText(text);
    },
  };
}

interface Step {
  /** The role of the control. */
  readonly role: string;
  /** The key that moves the focus towards the control. Undefined when Enter or Space acts on it. */
  readonly key?: string | undefined;
}

/**
 * Finds out how the keyboard reaches the control. One call for each step, because each call searches
 * the page for the control.
 */
const nextStep = (target: Locator): Promise<Step> =>
  target.evaluate((element, moves): Step => {
    const document = element.ownerDocument;
    const role = element.getAttribute("role") ?? element.getAttribute("type") ?? "none";
    // The marked option of a list acts while the field of the list has the focus.
    const isMarked = element.getAttribute("data-combobox-selected") !== null;
    if (element === document.activeElement || isMarked) return { role };
    const inWidget = `[role="${role}"]:focus, [role=menu]:focus, [role=menu] :focus`;
    const isNear = role === "option" || document.querySelector(inWidget) !== null;
    const position = element.compareDocumentPosition(document.activeElement ?? element);
    // DOCUMENT_POSITION_FOLLOWING: the focus is behind the element.
    const tab = (position & 4) === 0 ? "Tab" : "Shift+Tab";
    return { role, key: (isNear ? moves[role] : undefined) ?? tab };
  }, MOVES);
