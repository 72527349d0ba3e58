import { expect, type Page } from "./test.ts";

type Locator = ReturnType<Page["locator"]>;

/** The most times that a user presses Tab or an arrow key to reach a control. */
const MAX_STEPS = 150;

/** The roles between whose elements the arrow keys move, and not Tab. */
const ARROW_ROLES: ReadonlySet<string | null> = new Set(["menuitem", "option", "tab", "radio"]);

/** What a user does on a page. Counts the clicks and the keys; a typed text is one key. */
export interface User {
  readonly page: Page;
  readonly effort: Effort;
  /** Activates a button, link, switch, tab, menu item or option. */
  activate(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  press(key: string): Promise<void>;
}

export interface Effort {
  clicks: number;
  keys: number;
}

/** A user with a mouse, who uses the keyboard to type. */
export function mouseUser(page: Page): User {
  const effort: Effort = { clicks: 0, keys: 0 };
  return {
    page,
    effort,
    activate: async (target) => {
      effort.clicks++;
      await target.click();
    },
    write: async (field, text) => {
      effort.clicks++;
      effort.keys++;
      await field.fill(text);
    },
    press: async (key) => {
      effort.keys++;
      await page.keyboard.press(key);
    },
  };
}

/** A user without a mouse. Reaches each control with Tab, or with the arrow keys inside a widget. */
export function keyboardUser(page: Page): User {
  const effort: Effort = { clicks: 0, keys: 0 };
  const press = async (key: string) => {
    effort.keys++;
    await page.keyboard.press(key);
  };
  const isFocused = (target: Locator) =>
    target.evaluate((element) => element === element.ownerDocument.activeElement);
  const reach = async (target: Locator) => {
    await target.waitFor();
    const role = await target.evaluate((element) => element.getAttribute("role") ?? element.getAttribute("type"));
    if (role === "option") {
      // The focus stays in the field, and the field names the active option.
      for (let step = 0; step < MAX_STEPS; step++) {
        if ((await target.getAttribute("data-combobox-selected")) !== null) return;
        await press("ArrowDown");
      }
    }
    for (let step = 0; step < MAX_STEPS; step++) {
      if (await isFocused(target)) return;
      await press(role === "menuitem" ? "ArrowDown" : "Tab");
    }
    await expect(target).toBeFocused();
  };
  return {
    page,
    effort,
    activate: async (target) => {
      await reach(target);
      const role = await target.evaluate(
        (element) => element.getAttribute("role") ?? element.getAttribute("type"),
      );
      await press(["switch", "checkbox", "radio"].includes(role ?? "") ? "Space" : "Enter");
    },
    write: async (field, text) => {
      await reach(field);
      effort.keys++;
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText(text);
    },
    press,
  };
}
