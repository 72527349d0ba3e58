import { DurableObject } from "cloudflare:workers";
import {
  PROBE,
  STREAM_KINDS,
  type StreamChange,
  type StreamKind,
} from "../../core/stream/change.ts";
import { type LeafState, StreamLeaf } from "../../core/stream/leaf.ts";
import { now, wait } from "../runtime/clock.ts";
import { LEAF_HEADERS } from "./stream-leaves.ts";

const STATE = "state";
const CLOSED = "closed";
const closed = (keyId: string) => `closed:${keyId}`;
const tagOf = (keyId: number | string) => `key:${keyId}`;
const holderTag = (holder: string) => `holder:${holder}`;

/**
 * How long after a probe the leaf sends no other one to the same sockets, milliseconds. Not longer
 * than the shortest `Retry-After` of a refused connect.
 */
const PROBE_MS = 10_000;

/**
 * The code with which a leaf closes a socket whose API key, environment or project was deleted, or
 * hidden from the holder of the socket (RFC 6455 section 7.4.2).
 */
const DELETED = 4001;

/** The code with which a leaf closes a socket that has failed: an internal error (RFC 6455 section 7.4.1). */
const FAILED = 1011;

/**
 * A Durable Object that holds a part of the event streams of one environment, as WebSockets to the
 * Workers that write the streams. It hibernates between events: the platform keeps the sockets and
 * answers their pings.
 */
export class StreamLeafObject extends DurableObject<Env> {
  readonly #leaf = new StreamLeaf<WebSocket>({
    load: () => this.ctx.storage.kv.get<LeafState>(STATE),
    save: (state) => this.ctx.storage.kv.put(STATE, state),
    sockets: (kind) => this.ctx.getWebSockets(kind),
    send: (socket, message) => attempt(() => socket.send(message)),
    wait,
  });
  /**
   * An upper bound for the number of sockets of the leaf. Counting 5,000 sockets takes 0.5 ms, so
   * the leaf counts them only when this bound says that it may be full.
   */
  #most: number;
  /** When the leaf last probed the sockets of a holder, or all (undefined), epoch milliseconds. */
  #probed = new Map<string | undefined, number>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#most = ctx.getWebSockets().length;
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Opens a socket: 101, with the newest revision. 429 when the leaf is full, or the holder has as
   * many sockets as it may; 401 when the API key, the environment or the project was deleted.
   */
  override async fetch({ headers }: Request): Promise<Response> {
    const keyId = headers.get(LEAF_HEADERS.keyId) ?? "";
    const kind = headers.get(LEAF_HEADERS.kind) as StreamKind | null;
    if (kind === null || !STREAM_KINDS.includes(kind)) return new Response(null, { status: 400 });
    const { kv } = this.ctx.storage;
    if (kv.get(closed(keyId)) || kv.get(CLOSED)) return new Response(null, { status: 401 });
    const holder = headers.get(LEAF_HEADERS.holder);
    const tag = holder === null ? undefined : holderTag(holder);
    const isOver =
      tag !== undefined && this.#holdsAll(tag, Number(headers.get(LEAF_HEADERS.holderLimit)));
    if (isOver || this.#isFull(Number(headers.get(LEAF_HEADERS.limit)))) {
      this.#probe(isOver ? tag : undefined);
      return new Response(null, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [kind, tagOf(keyId), ...(tag === undefined ? [] : [tag])]);
    this.#most += 1;
    const newest = { [LEAF_HEADERS.newest]: String(this.#leaf.newest) };
    return new Response(null, { status: 101, webSocket: client, headers: newest });
  }

  async send(change: StreamChange): Promise<void> {
    await this.#leaf.send(change);
  }

  /** Ends the streams of a deleted API key, and accepts no more of them. */
  async closeKey(keyId: number): Promise<void> {
    const { kv } = this.ctx.storage;
    const name = closed(String(keyId));
    if (!kv.get(name)) kv.put(name, true);
    this.#end(tagOf(keyId));
  }

  /** Ends all streams of a deleted environment or project, and accepts no more of them. */
  async closeAll(): Promise<void> {
    this.ctx.storage.kv.put(CLOSED, true);
    this.#end();
  }

  /** Ends the streams of a holder, or all streams. Their clients may connect again. */
  async interrupt(holder: string | undefined): Promise<void> {
    this.#end(holder === undefined ? undefined : holderTag(holder));
  }

  /** Ends all streams, and deletes all storage. */
  async forget(): Promise<void> {
    this.#end();
    await this.ctx.storage.deleteAll();
  }

  /** Ends the streams with a tag, or all. */
  #end(tag?: string): void {
    for (const socket of this.ctx.getWebSockets(tag))
      attempt(() => socket.close(DELETED, "deleted"));
  }

  #isFull(limit: number): boolean {
    if (this.#most < limit) return false;
    this.#most = this.ctx.getWebSockets().length;
    return this.#most >= limit;
  }

  /** Whether the holder has at least `limit` sockets. Counts them only if the leaf may have as many. */
  #holdsAll(tag: string, limit: number): boolean {
    return this.#most >= limit && this.ctx.getWebSockets(tag).length >= limit;
  }

  /**
   * Makes the Workers write into the streams with a tag, or into all, so that they notice which
   * clients have left. Otherwise they notice it only with the second heartbeat after that.
   */
  #probe(tag: string | undefined): void {
    const at = now();
    for (const [probed, before] of this.#probed)
      if (before + PROBE_MS <= at) this.#probed.delete(probed);
    if (this.#probed.has(tag)) return;
    this.#probed.set(tag, at);
    for (const socket of this.ctx.getWebSockets(tag)) attempt(() => socket.send(PROBE));
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    // Replaces the codes 1005 and 1006, which mean that no code was sent and must not be sent
    // themselves (RFC 6455 section 7.4.1).
    attempt(() => socket.close(code === 1005 || code === 1006 ? 1000 : code));
  }

  /** Closes a socket that has failed, so that the Worker ends the stream and the client connects again. */
  override async webSocketError(socket: WebSocket): Promise<void> {
    attempt(() => socket.close(FAILED, "the connection has failed"));
  }
}

/** Calls a method of a socket that may be closing. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Ignores the error: the Worker has closed the socket.
  }
}
