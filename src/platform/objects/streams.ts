import type { StreamConnection, StreamPorts } from "../../client/sources/ports.ts";
import { type ApiError, tooManyRequests, unauthorized } from "../../core/errors/api-error.ts";
import { networkOf, siteOf } from "@feature-flags/evaluation/ip";
import type { StreamChange, StreamKind } from "../../core/stream/change.ts";
import { LEAF_HEADERS, LEAVES, leafOf } from "./stream-leaves.ts";
import { settings } from "../runtime/settings.ts";
import { withTimeout } from "../runtime/timeout.ts";

/** The timeout of a connect to a leaf, milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The timeout of a notification, milliseconds. A leaf spreads many events over a second. */
const NOTIFY_TIMEOUT_MS = 10_000;

/** The timeout of closing the streams of a deleted API key, environment or project, milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * How many leaves a connect tries. The leaves are chosen at random, so the second leaf is full only
 * if nearly all leaves are.
 */
const TRIED_LEAVES = 2;

/**
 * The share of a leaf's sockets that streams of FRONTEND keys may use. Anybody can open streams
 * with a public key, so a quarter is reserved for servers: an environment has fewer servers than
 * browsers, and a server serves many users.
 */
const PUBLIC_SHARE = 0.75;

/**
 * The share of a leaf's sockets that one holder may use. One SERVER key often serves all servers of
 * an environment; its share is below PUBLIC_SHARE, so that browsers get streams in any case. With
 * FRONTEND keys the holder is a network, which may be a large office. In the streams of a project
 * the holder is a user or an API key.
 */
const HOLDER_SHARE = { server: 0.5, network: 0.05, member: 0.01 };

/** The range of `Retry-After` when the leaves are full, milliseconds. */
const RETRY_AFTER_MS = { least: 10_000, most: 60_000 };

/**
 * Whether the service offers streams. If not, nothing calls the hubs and leaves: the deploy that
 * turned streams off has closed all of them.
 */
const offersStreams = (env: Env): boolean => settings(env).streamsPerLeaf > 0;

/** Returns the event streams of one request. `ip`: returns the address of the caller. */
export function streamPorts(env: Env, ip: () => string | undefined): StreamPorts {
  return {
    isOn: offersStreams(env),
    secrets: settings(env).tokens.secrets,
    connect: ({ key: { id: keyId, keyType, environmentId: channel }, kind }) =>
      connectToChannel(env, {
        channel,
        keyId,
        kind,
        isPublic: keyType === "FRONTEND",
        holder: keyType === "FRONTEND" ? networkHolder(ip()) : serverHolder(keyId),
      }),
  };
}

interface Holder {
  readonly name: string;
  /** The share of a leaf's sockets that the holder may use. */
  readonly share: number;
}

const serverHolder = (keyId: number): Holder => ({
  name: `key ${keyId}`,
  share: HOLDER_SHARE.server,
});

/**
 * Returns the network of an address as a holder: the IPv4 address, or the /48 of an IPv6 address.
 * Returns undefined for a request without an address.
 */
const networkHolder = (ip: string | undefined): Holder | undefined =>
  ip === undefined
    ? undefined
    : { name: `network ${siteOf(ip) ?? networkOf(ip)}`, share: HOLDER_SHARE.network };

/** Returns the user or the API key that opens a stream of a project. */
export const memberHolder = (name: string): Holder => ({ name, share: HOLDER_SHARE.member });

interface ChannelTarget {
  /** The id of an environment, or the name of the channel of a project. */
  readonly channel: number | string;
  /** The API key whose deletion ends the stream. */
  readonly keyId?: number;
  readonly kind: StreamKind;
  /** Whether the stream must stay out of the share of sockets that is reserved for servers. */
  readonly isPublic?: boolean;
  /** Who holds the stream. Undefined if no limit for one holder applies. */
  readonly holder?: Holder | undefined;
}

/**
 * Connects to a leaf of a channel. Throws: 401 when the API key was deleted, 429 when the leaves
 * are full or the holder uses its share of them, and the errors of the call of the leaf.
 */
export async function connectToChannel(env: Env, to: ChannelTarget): Promise<StreamConnection> {
  const { streamsPerLeaf } = settings(env);
  if (streamsPerLeaf === 0) throw full();
  const limit = to.isPublic ? Math.ceil(streamsPerLeaf * PUBLIC_SHARE) : streamsPerLeaf;
  const first = Math.floor(Math.random() * LEAVES);
  for (let tried = 0; tried < TRIED_LEAVES; tried++) {
    const response = await connectTo(env, to, { leaf: (first + tried) % LEAVES, limit });
    const { status, webSocket: socket, headers } = response;
    if (socket) return { socket, newest: Number(headers.get(LEAF_HEADERS.newest)) };
    if (status === 401) throw unauthorized();
    if (status !== 429) throw new Error(`A leaf responded with ${status}`);
  }
  throw full();
}

function full(): ApiError {
  const { least, most } = RETRY_AFTER_MS;
  return tooManyRequests(
    "Too many event streams; poll, and try again after Retry-After",
    least + Math.random() * (most - least),
  );
}

/** Connects to a leaf. Closes a connection that opens after the timeout. */
async function connectTo(
  env: Env,
  { channel, keyId, kind, holder }: ChannelTarget,
  { leaf, limit }: { readonly leaf: number; readonly limit: number },
): Promise<Response> {
  let isLate = false;
  const connecting = async () => {
    const response = await leafOf(env, channel, leaf).fetch("https://leaf/", {
      headers: {
        Upgrade: "websocket",
        [LEAF_HEADERS.kind]: kind,
        ...(keyId !== undefined && { [LEAF_HEADERS.keyId]: String(keyId) }),
        [LEAF_HEADERS.limit]: String(limit),
        ...(holder && {
          [LEAF_HEADERS.holder]: holder.name,
          [LEAF_HEADERS.holderLimit]: String(
            Math.ceil(settings(env).streamsPerLeaf * holder.share),
          ),
        }),
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

export type Fault = (what: string, error: unknown) => void;

const hubOf = (env: Env, channel: number | string) => env.STREAM_HUBS.getByName(String(channel));

/** Notifies the streams of a channel of a change, if the service offers streams. A failure is a fault. */
export async function notifyChannel(
  env: Env,
  { channel, ...change }: StreamChange & { readonly channel: number | string },
  fault: Fault,
): Promise<void> {
  if (!offersStreams(env)) return;
  await orFault(fault, NOTIFY_TIMEOUT_MS, async () => hubOf(env, channel).notify(change));
}

/**
 * Notifies the streams of an environment of a new revision. A failure is a fault, and the next
 * notification or the minute cron repairs it.
 */
export async function notifyStreams(
  env: Env,
  { environmentId, ...change }: StreamChange & { readonly environmentId: number },
  fault: Fault,
): Promise<void> {
  await notifyChannel(env, { channel: environmentId, ...change }, fault);
}

/** Ends the streams of a deleted API key. A failure is a fault, and the minute cron repairs it. */
export async function closeStreamsOfKey(
  env: Env,
  { id, environmentId }: { readonly id: number; readonly environmentId: number },
  fault: Fault,
): Promise<void> {
  if (!offersStreams(env)) return;
  await orFault(fault, CLOSE_TIMEOUT_MS, async () => hubOf(env, environmentId).closeKey(id));
}

/** Ends all streams of a deleted environment or project. A failure is a fault. */
export async function closeChannel(
  env: Env,
  channel: number | string,
  fault: Fault,
): Promise<void> {
  if (!offersStreams(env)) return;
  await orFault(fault, CLOSE_TIMEOUT_MS, async () => hubOf(env, channel).closeAll());
}

/**
 * Ends the streams of a channel that a holder has, or all if `holder` is undefined. Their clients may
 * connect again. A failure is a fault.
 */
export async function interruptChannel(
  env: Env,
  { channel, holder }: { readonly channel: string; readonly holder: string | undefined },
  fault: Fault,
): Promise<void> {
  if (!offersStreams(env)) return;
  await orFault(fault, CLOSE_TIMEOUT_MS, async () => hubOf(env, channel).interrupt(holder));
}

async function orFault(fault: Fault, ms: number, work: () => Promise<void>): Promise<void> {
  try {
    await withTimeout(ms, work);
  } catch (error) {
    fault("stream", error);
  }
}
