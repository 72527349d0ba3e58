/**
 * A computation in steps, so that its caller can do something else in between. For each step, it yields
 * what the step is about, whose size says how long the step takes, or the text that the step has made.
 */
export type Pausing<T> = Generator<unknown, T>;

/** Runs all steps at once, and returns the result. */
export function withoutPauses<T>(steps: Pausing<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
