import type { Page } from "@playwright/test";

/**
 * Returns the visible controls that are too small for fingers, with their sizes: switches below
 * 44 px, and other controls below 24 px (WCAG 2.2, 2.5.8). Links in a line of text are exempt. The
 * label of an input is part of the target.
 */
export const smallTargets = (page: Page): Promise<readonly string[]> => page.evaluate(SCRIPT);

const SCRIPT = `(() => {
  const CONTROLS =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=slider], [role=tab], [role=option], [role=menuitem]";
  const isShown = (node) =>
    node.checkVisibility({ visibilityProperty: true }) &&
    node.closest("[aria-hidden=true], [inert]") === null;
  const isInText = (node) =>
    getComputedStyle(node).display === "inline" &&
    [...node.parentElement.childNodes].some(
      (other) => other.nodeType === Node.TEXT_NODE && other.data.trim() !== "",
    );
  const sizeOf = (node) => {
    const boxes = [node, ...(node.labels ?? [])]
      .map((part) => part.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1);
    const length = (from, to) =>
      Math.max(...boxes.map((box) => box[to])) - Math.min(...boxes.map((box) => box[from]));
    return boxes.length > 0 && [length("left", "right"), length("top", "bottom")];
  };
  return [...document.querySelectorAll(CONTROLS)].flatMap((node) => {
    const size = isShown(node) && !isInText(node) && sizeOf(node);
    const least = node.role === "switch" ? 44 : 24;
    // Less than half a pixel is a rounding error of the layout.
    if (!size || Math.min(...size) > least - 0.5) return [];
    const name = node.ariaLabel ?? (node.textContent.trim() || node.outerHTML.slice(0, 200));
    return [name + ": " + size.map((length) => length.toFixed(1)).join(" × ") + " px"];
  });
})()`;
