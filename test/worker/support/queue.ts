import { env } from "cloudflare:workers";
import type {
  ReportedUsage,
  UndeliveredBatch,
  UsageBatch,
} from "../../../src/core/usage/usage-batch.ts";
import type { InstanceMark } from "../../../src/core/usage/message-types.ts";
import type { CallOptions } from "./client.ts";
import { callWith } from "./call-with.ts";

/** A usage queue that records each `sendBatch` call. With `isDown` every call fails. */
export function recordingQueue({ isDown = false } = {}) {
  const calls: MessageSendRequest[][] = [];
  const USAGE = {
    sendBatch: async (messages: Iterable<MessageSendRequest>) => {
      calls.push([...messages]);
      if (isDown) throw new Error("Queue sendBatch failed: Internal Server Error");
    },
  } as unknown as Queue;
  return { USAGE, calls, messages: () => calls.flat().map(({ body }) => body as UndeliveredBatch) };
}

/** Usage objects that record each call. With `isDown` every call fails. */
export function recordingObjects({ isDown = false } = {}) {
  const calls: (readonly string[])[] = [];
  const add = async (batches: readonly string[]) => {
    calls.push(batches);
    if (isDown) throw new Error("The usage object is overloaded");
  };
  const USAGE_OBJECTS = { getByName: () => ({ add }) } as unknown as Env["USAGE_OBJECTS"];
  return {
    USAGE_OBJECTS,
    calls,
    batches: () => calls.flat().map((body) => JSON.parse(body) as UsageBatch),
  };
}

/** What an isolate sent to the usage objects during a call. */
interface Sent {
  readonly reports: readonly ReportedUsage[];
  readonly keys: readonly number[];
  readonly instances: readonly InstanceMark[];
}

/** Calls the Worker, and returns the response and what the isolate sent to the usage objects. */
export async function callSending(
  method: string,
  path: string,
  options: CallOptions,
  replaced: Partial<Env> = {},
) {
  const objects = recordingObjects();
  const { USAGE_OBJECTS } = objects;
  const answer = await callWith({ USAGE_OBJECTS, ...replaced }, method, path, options);
  const batches = objects.batches();
  const sent: Sent = {
    reports: batches.flatMap(({ reports }) => reports),
    keys: batches.flatMap(({ keys }) => keys.map(([id]) => id)),
    instances: batches.flatMap(({ instances }) => instances),
  };
  return { answer, objects, ...sent };
}

/** Sends a usage report. Returns the response and what the isolate sent to the usage objects. */
export const sendReport = (apiKey: string, body: unknown, headers: CallOptions["headers"] = {}) =>
  callSending("POST", "/api/client/metrics", { token: apiKey, body, headers });

/** Sends a usage report, and waits until the usage object has stored it. */
export const storeReport = (
  apiKey: string,
  body: unknown,
  {
    headers = {},
    replaced = {},
  }: { headers?: CallOptions["headers"]; replaced?: Partial<Env> } = {},
) => callWith({ ...replaced }, "POST", "/api/client/metrics", { token: apiKey, body, headers });

/** Makes the isolate send what a test has left undelivered to the usage objects. */
export const deliverRest = (apiKey: string) =>
  callWith({ ...env }, "GET", "/api/client/features", {
    token: apiKey,
    headers: { "X-Instance-Id": crypto.randomUUID() },
  });
