/** How many steps of a long computation run before other requests of the isolate do. */
const STEPS = 50;

/** Divides a long computation, so that other requests of the isolate do not wait for all of it. */
export class Turns {
  #steps = 0;

  /** Lets other requests run after every `STEPS` calls. */
  async next(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
