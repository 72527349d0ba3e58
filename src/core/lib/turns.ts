import type { Pausing } from "@feature-flags/evaluation/pausing";

/**
 * How much work runs before other requests of the isolate do, characters of JSON. It takes some
 * milliseconds. A step about an object counts `STEP` besides its characters, and a step about a text
 * `SMALL_STEP`. Any other step, such as a comparison of two versions, counts `SMALL_STEP`.
 */
const WORK = 50_000;
const STEP = 1_000;
const SMALL_STEP = 100;

/**
 * Divides a long computation, so that other requests of the isolate do not wait for all of it. Counts
 * work, because the clock of an isolate stands still while it computes.
 */
export class Turns {
  #work = 0;

  /** Lets other requests run if there was enough work. `value`: what a step yields. */
  async next(value?: unknown): Promise<void> {
    this.#work += (typeof value === "object" ? STEP : SMALL_STEP) + lengthOf(value);
    if (this.#work < WORK) return;
    this.#work = 0;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Runs the steps of a computation, and lets other requests run in between. */
export async function inTurns<T>(steps: Pausing<T>, turns = new Turns()): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await turns.next(value);
  }
}

/**
 * Returns about how many characters the JSON of a value has. Stops counting at `WORK`. Makes no list of
 * the parts: that takes as long as the rest for small objects, and all indices at once for a long array.
 */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 0;
  if (Array.isArray(value))
    for (const part of value) {
      if (length >= WORK) break;
      length += lengthOf(part) + 1;
    }
  else
    for (const name in value) {
      if (length >= WORK) break;
      length += lengthOf(value[name as never]) + 1;
    }
  return length;
}
