import { chunked, jsonBytes } from "../core/lib/chunks.ts";
import type { UsageMessage } from "../core/usage/message-types.ts";
import { queueProducer } from "./jobs.ts";

/**
 * The maximum number of usage messages in one `sendBatch`, and their maximum size in bytes of JSON.
 * Cloudflare Queues allows 100 messages, and 256 KB including metadata.
 */
const CALL_LIMITS = { count: 100, size: 240_000 };

/**
 * Sends usage messages to the usage queue, in order, in as few calls as the limits allow. Throws
 * whatever the queue throws, or `TimeoutError`.
 */
export async function sendUsage(queue: Queue, messages: readonly UsageMessage[]): Promise<void> {
  const usage = queueProducer<UsageMessage>(queue);
  for (const some of chunked(messages, jsonBytes, CALL_LIMITS))
    await usage.send(some.map((body) => ({ body })));
}
