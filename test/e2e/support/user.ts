import { expect, type Page } from "./test.ts";

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

const roleOf = (target: Locator): Promise<string> =>
  target.evaluate(
    (element) => element.getAttribute("role") ?? element.getAttribute("type") ?? "none",
  );

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
  const reach = async (target: Locator) => {
    await target.waitFor();
    const role = await roleOf(target);
    for (let step = 0; step < MAX_STEPS; step++) {
      if (await isActive(target)) return;
      const isNear = await isInWidget(page, role);
      await press((isNear ? MOVES[role] : undefined) ?? (await tabTowards(target)));
    }
    await expect(target).toBeFocused();
  };
  return {
    page,
    press,
    type: (text) => page.keyboard.type(text),
    activate: async (target) => {
      await reach(target);
      const isToggle = TOGGLES.has(await roleOf(target));
      await press(isToggle ? "Space" : "Enter");
    },
    write: async (field, text) => {
      await reach(field);
      await press("ControlOrMeta+A");
      await page.keyboard.insertText(text);
    },
  };
}

/**
 * Whether Enter or Space acts on the element: it has the focus, or it is the marked option of a list
 * whose field has the focus.
 */
const isActive = (target: Locator): Promise<boolean> =>
  target.evaluate(
    (element) =>
      element === element.ownerDocument.activeElement ||
      element.getAttribute("data-combobox-selected") !== null,
  );

/** The key that moves the focus in the direction of the element. */
const tabTowards = (target: Locator): Promise<string> =>
  target.evaluate((element) => {
    const position = element.compareDocumentPosition(
      element.ownerDocument.activeElement ?? element,
    );
    // DOCUMENT_POSITION_FOLLOWING: the focus is behind the element.
    return (position & 4) === 0 ? "Tab" : "Shift+Tab";
  });

/** Whether the focus is where the arrow keys reach a control with this role. */
async function isInWidget(page: Page, role: string): Promise<boolean> {
  if (role === "option") return true;
  const focused = page.locator(`[role="${role}"]:focus, [role=menu]:focus, [role=menu] :focus`);
  return (await focused.count()) > 0;
}
