let resolveReady: (() => void) | undefined;

/** Resolves when the component that shows the confirmation dialogs is on the page. */
export const dialogsReady = new Promise<void>((resolve) => (resolveReady = resolve));

export const markDialogsReady = (): void => resolveReady?.();
