import { chunked, jsonBytes } from "../core/lib/chunks.ts";
import type { UsageMessage } from "../core/usage/message-types.ts";
import { queueProducer } from "./jobs.ts";

/** What one `sendBatch` takes: 100 messages, 256 KB with what the queue adds to each. */
const CALL_LIMITS = { count: 100, size: 240_000 };

/** Hands the messages over, in as few calls as it takes. Errors: the queue's. */
export async function sendUsage(queue: Queue, messages: readonly UsageMessage[]): Promise<void> {
  const usage = queueProducer<UsageMessage>(queue);
  for (const some of chunked(messages, jsonBytes, CALL_LIMITS))
    await usage.send(some.map((body) => ({ body })));
}
