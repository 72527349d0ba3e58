import type { StreamConnection, StreamPorts, StreamTarget } from "../client/ports.ts";
import { tooManyRequests, unauthorized } from "../core/errors/api-error.ts";
import type { StreamChange } from "../core/stream/change.ts";
import { LEAF_HEADERS, LEAVES, leafOf } from "./stream-leaves.ts";
import { settings } from "./settings.ts";
import { withTimeout } from "./timeout.ts";

/** The timeout of a connect to a leaf, milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The timeout of a notification, milliseconds. A leaf spreads many events over a second. */
const NOTIFY_TIMEOUT_MS = 10_000;

/** The timeout of closing the streams of a deleted API key, milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** How many leaves a connect tries. With random leaves, the second is full only if nearly all are. */
const TRIED_LEAVES = 2;

/** The range of `Retry-After` when the leaves are full, milliseconds. */
const RETRY_AFTER_MS = { least: 10_000, most: 60_000 };

/** Returns the event streams of one request. */
export function streamPorts(env: Env): StreamPorts {
  const { tokens, streamsPerLeaf } = settings(env);
  return {
    isOn: streamsPerLeaf > 0,
    secrets: tokens.secrets,
    connect: (to) => connect(env, to, streamsPerLeaf),
  };
}

async function connect(env: Env, to: StreamTarget, limit: number): Promise<StreamConnection> {
  const first = Math.floor(Math.random() * LEAVES);
  for (let tried = 0; tried < TRIED_LEAVES; tried++) {
    const response = await connectTo(env, to, { leaf: (first + tried) % LEAVES, limit });
    const { status, webSocket: socket, headers } = response;
    if (socket) return { socket, newest: Number(headers.get(LEAF_HEADERS.newest)) };
    if (status === 401) throw unauthorized();
    if (status !== 429) throw new Error(`A leaf responded with ${status}`);
  }
  const { least, most } = RETRY_AFTER_MS;
  throw tooManyRequests(
    "Too many event streams; poll, and try again after Retry-After",
    least + Math.random() * (most - least),
  );
}

/** Connects to a leaf. A connect that ends after its timeout is closed. */
async function connectTo(
  env: Env,
  { environmentId, keyId, kind }: StreamTarget,
  { leaf, limit }: { readonly leaf: number; readonly limit: number },
): Promise<Response> {
  let isLate = false;
  const connecting = async () => {
    const response = await leafOf(env, environmentId, leaf).fetch("https://leaf/", {
      headers: {
        Upgrade: "websocket",
        [LEAF_HEADERS.kind]: kind,
        [LEAF_HEADERS.keyId]: String(keyId),
        [LEAF_HEADERS.limit]: String(limit),
      },
    });
    if (isLate && response.webSocket) {
      response.webSocket.accept();
      response.webSocket.close(1000, "too late");
    }
    return response;
  };
  try {
    return await withTimeout(CONNECT_TIMEOUT_MS, connecting);
  } catch (error) {
    isLate = true;
    throw error;
  }
}

type Fault = (what: string, error: unknown) => void;

const hubOf = (env: Env, environmentId: number) => env.STREAM_HUBS.getByName(String(environmentId));

/**
 * Notifies the streams of an environment of a new revision. A failure is a fault, and the next
 * notification or the minute cron repairs it.
 */
export async function notifyStreams(
  env: Env,
  { environmentId, ...change }: StreamChange & { readonly environmentId: number },
  fault: Fault,
): Promise<void> {
  await orFault(fault, NOTIFY_TIMEOUT_MS, async () => hubOf(env, environmentId).notify(change));
}

/** Ends the streams of a deleted API key. A failure is a fault. */
export async function closeStreamsOfKey(
  env: Env,
  { id, environmentId }: { readonly id: number; readonly environmentId: number },
  fault: Fault,
): Promise<void> {
  await orFault(fault, CLOSE_TIMEOUT_MS, async () => hubOf(env, environmentId).closeKey(id));
}

async function orFault(fault: Fault, ms: number, work: () => Promise<void>): Promise<void> {
  try {
    await withTimeout(ms, work);
  } catch (error) {
    fault("stream", error);
  }
}
