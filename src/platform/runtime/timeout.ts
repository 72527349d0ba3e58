import { TimeoutError } from "../../core/lib/timeout.ts";

/**
 * Runs `work` and waits for its result for at most `ms` milliseconds. Throws: what `work` throws,
 * or `TimeoutError`. A timeout does not stop `work`.
 */
export async function withTimeout<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(ms)), ms);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
