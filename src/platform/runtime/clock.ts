/** Returns the current time, epoch milliseconds. */
export const now = (): number => Date.now();

/** Returns a promise that resolves after `ms` milliseconds. */
export const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
