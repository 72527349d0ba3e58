/** How long to wait for the element, milliseconds. */
const WAIT_MS = 10_000;

/** Clicks the element that matches `selector`, as soon as it is on the page. */
export function clickWhenThere(selector: string): void {
  const click = (): boolean => {
    const element = document.querySelector<HTMLElement>(selector);
    element?.click();
    return element !== null;
  };
  if (click()) return;
  const observer = new MutationObserver(() => {
    if (click()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), WAIT_MS);
}
