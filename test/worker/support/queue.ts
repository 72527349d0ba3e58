import type { UsageMessage, UsageReport } from "../../../src/core/usage/message-types.ts";
import type { CallOptions } from "./client.ts";
import { responseWith } from "./call-with.ts";

/** A usage queue that records each `sendBatch` call. With `isDown` every call fails. */
export function recordingQueue({ isDown = false } = {}) {
  const calls: MessageSendRequest[][] = [];
  const USAGE = {
    sendBatch: async (messages: Iterable<MessageSendRequest>) => {
      calls.push([...messages]);
      if (isDown) throw new Error("Queue sendBatch failed: Internal Server Error");
    },
  } as unknown as Queue;
  const messages = () => calls.flat().map(({ body }) => body as UsageMessage);
  return {
    USAGE,
    calls,
    messages,
    reports: () =>
      messages().filter((message): message is UsageReport => message.kind === "report"),
  };
}

/** Sends a usage report to the Worker. Returns the response and what the usage queue received. */
export async function sendReport(
  apiKey: string,
  body: unknown,
  headers: CallOptions["headers"] = {},
) {
  const queue = recordingQueue();
  const options = { token: apiKey, body, headers };
  const { answer } = await responseWith(
    { USAGE: queue.USAGE },
    "POST",
    "/api/client/metrics",
    options,
  );
  return { answer, queue, reports: queue.reports() };
}
