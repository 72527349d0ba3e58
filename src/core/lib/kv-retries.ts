/**
 * The pauses before the two retries of a write to KV, in milliseconds. KV accepts one write a second
 * to a key, so several changes in a row need the retries.
 */
const RETRY_DELAYS_MS = [1_500, 4_500] as const;

/** What the retries need from the platform. */
export interface RetryPorts {
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /** Logs and counts a fault that the caller does not notice. */
  fault(what: string, error: unknown): void;
}

/**
 * Runs a write to KV, up to three times. Each failure but the last counts as a fault of `what`.
 * Throws: the error of the last attempt.
 */
export async function withRetries(
  what: string,
  ports: RetryPorts,
  attempt: () => Promise<void>,
): Promise<void> {
  for (const delay of RETRY_DELAYS_MS)
    try {
      await attempt();
      return;
    } catch (error) {
      ports.fault(what, error);
      await ports.wait(delay);
    }
  await attempt();
}
