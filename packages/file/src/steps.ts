/**
 * A computation in steps, so that its caller can do something else in between. It yields what its next
 * step is about, whose size says how long the step takes.
 */
export type Steps<T> = Generator<unknown, T>;

/** Runs all steps at once, and returns the result. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
