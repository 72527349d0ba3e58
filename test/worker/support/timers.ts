import { vi } from "vitest";

/**
 * Holds all later timers with this delay, in milliseconds: they never fire. A test holds a timeout
 * that must not fire before the test ends a call, however slow the machine is. Returns a function
 * that ends this.
 */
export function holdTimers(delay: number): () => void {
  const real = globalThis.setTimeout;
  const hold = (run: () => void, ms?: number) => (ms === delay ? 0 : real(run, ms));
  const setTimer = vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof real);
  return () => setTimer.mockRestore();
}

/**
 * Runs `work`. Returns its result, and the delays of all timers that were set meanwhile, in
 * milliseconds. A test checks these delays instead of the duration of `work`, which depends on the
 * machine.
 */
export async function delaysIn<T>(work: () => Promise<T>) {
  const setTimer = vi.spyOn(globalThis, "setTimeout");
  try {
    const result = await work();
    return { result, delays: setTimer.mock.calls.map(([, ms = 0]) => ms) };
  } finally {
    setTimer.mockRestore();
  }
}
