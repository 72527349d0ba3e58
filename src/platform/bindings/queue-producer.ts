import type { QueueProducer } from "../../jobs/deps.ts";
import { withTimeout } from "../runtime/timeout.ts";

/** The timeout of one `sendBatch` to a queue, milliseconds. */
const SEND_TIMEOUT_MS = 5_000;

/**
 * Wraps the binding of a queue as a producer. `send` throws the errors of the queue, or
 * `TimeoutError`.
 */
export const queueProducer = <T>(queue: Queue): QueueProducer<T> => ({
  send: async (messages) => {
    const batch = messages.map((message) => ({ contentType: "json" as const, ...message }));
    await withTimeout(SEND_TIMEOUT_MS, () => queue.sendBatch(batch));
  },
});
