/** Thrown when a call took longer than its timeout. Whether the call had an effect is unknown. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(ms: number) {
    super(`no response within ${ms} ms`);
  }
}

/**
 * Returns the result of `work`, or fails after a timeout.
 * @param wait resolves after that many milliseconds
 * @throws `TimeoutError` when `work` takes longer than `ms`
 */
export async function raceTimeout<T>(
  wait: (ms: number) => Promise<void>,
  ms: number,
  work: Promise<T>,
): Promise<T> {
  const timeout = wait(ms).then(() => {
    throw new TimeoutError(ms);
  });
  return Promise.race([work, timeout]);
}
