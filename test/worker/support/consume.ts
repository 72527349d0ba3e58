import {
  createExecutionContext,
  createMessageBatch,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";

/** Sends a batch of queue messages to the Worker, and waits until the Worker has processed it. */
export async function consume(
  queue: string,
  bodies: readonly object[],
  replaced: Partial<Env> = {},
): Promise<void> {
  const context = createExecutionContext();
  const timestamp = new Date();
  const messages = bodies.map((body, n) => ({ id: String(n), timestamp, body, attempts: 1 }));
  await worker.queue(createMessageBatch(queue, messages), { ...env, ...replaced }, context);
  await waitOnExecutionContext(context);
}
