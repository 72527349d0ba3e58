let resolvePageShown: (() => void) | undefined;

/** Resolves when the first page of this tab is shown with its data, or without it after a while. */
export const pageShown = new Promise<void>((resolve) => (resolvePageShown = resolve));

export const markPageShown = (): void => resolvePageShown?.();
