/** Returns the current time, epoch milliseconds. */
export const now = (): number => Date.now();

/** Resolves after that many milliseconds. */
export const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
