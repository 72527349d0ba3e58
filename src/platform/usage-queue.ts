import { chunked, jsonBytes } from "../core/lib/chunks.ts";
import type { UsageMessage } from "../core/usage/message-types.ts";
import { queueProducer } from "./jobs.ts";

/**
 * The limits of one `sendBatch` of Cloudflare Queues: 100 messages, and 256 KB including their
 * metadata.
 */
const CALL_LIMITS = { count: 100, size: 240_000 };

/**
 * Sends messages to the usage queue in as few calls as possible. Throws whatever the queue throws.
 */
export async function sendUsage(queue: Queue, messages: readonly UsageMessage[]): Promise<void> {
  const usage = queueProducer<UsageMessage>(queue);
  for (const some of chunked(messages, jsonBytes, CALL_LIMITS))
    await usage.send(some.map((body) => ({ body })));
}
