/** What was asked did not answer in time. Whether it did what it was asked for is not known. */
export class LateError extends Error {
  override readonly name = "LateError";

  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
  }
}

/** What the work comes to, or a `LateError` when that takes longer. `wait` resolves after milliseconds. */
export async function within<T>(
  wait: (ms: number) => Promise<void>,
  ms: number,
  work: Promise<T>,
): Promise<T> {
  const late = wait(ms).then(() => {
    throw new LateError(ms);
  });
  return Promise.race([work, late]);
}
