/**
 * The error that is thrown when a call takes longer than its timeout. Whether the call had an
 * effect is unknown.
 */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor(ms: number) {
    super(`no response within ${ms} ms`);
  }
}

/**
 * Returns the result of `work`, or throws after a timeout.
 * @param wait resolves after the given number of milliseconds
 * @param ms the timeout, milliseconds
 * @throws `TimeoutError` when `work` takes longer than `ms`, and the errors of `work`
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
