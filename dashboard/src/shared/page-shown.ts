let resolvePageShown: (() => void) | undefined;
let isShown = false;

/** Resolves when the first page of this tab is shown with its data, or without it after a while. */
export const pageShown = new Promise<void>((resolve) => (resolvePageShown = resolve));

export const isPageShown = (): boolean => isShown;

export function markPageShown(): void {
  isShown = true;
  resolvePageShown?.();
}
