import { messageOf, STREAM_KINDS, type StreamChange, type StreamKind } from "./change.ts";

/** The storage of a leaf, a Durable Object that holds the streams of an environment. */
export interface LeafState {
  /** The newest revision that the leaf knows. */
  readonly newest: number;
  /** The newest revision that the leaf has sent to all its streams. */
  readonly sent: number;
}

/** What a leaf (a Durable Object that holds streams) needs from the platform. */
export interface LeafPorts<Socket> {
  load(): LeafState | undefined;
  save(state: LeafState): void;
  /** Returns the sockets of all open streams of a kind. */
  sockets(kind: StreamKind): readonly Socket[];
  /** Sends a message, without waiting. A socket that is closing ignores it. */
  send(socket: Socket, message: string): void;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
}

/**
 * The most messages that a leaf sends at once. It spreads more messages over a second, so that not
 * all clients fetch a change at the same moment.
 */
const BURST = 1_000;
const SPREAD_MS = 1_000;
const SLICES = 10;

/** A leaf of an environment: it sends each new revision to the streams that it holds. */
export class StreamLeaf<Socket> {
  readonly #ports: LeafPorts<Socket>;
  #state: LeafState;

  constructor(ports: LeafPorts<Socket>) {
    this.#ports = ports;
    this.#state = ports.load() ?? { newest: 0, sent: 0 };
  }

  /** The newest revision that the leaf knows; 0 when it knows none. */
  get newest(): number {
    return this.#state.newest;
  }

  /**
   * Sends a change to all streams, unless it was sent before. Stores the newest revision before it
   * sends, so that no stream misses the change: a stream that opens meanwhile reads the stored
   * revision, and all other streams are in the list of sockets. When a newer change arrives
   * meanwhile, the remaining streams get only the newer change.
   */
  async send(change: StreamChange): Promise<void> {
    const { revision } = change;
    if (revision <= this.#state.sent || revision < this.newest) return;
    this.#save({ ...this.#state, newest: revision });
    const messages = STREAM_KINDS.flatMap((kind) => {
      const message = messageOf(kind, change);
      return this.#ports.sockets(kind).map((socket) => ({ socket, message }));
    });
    const atOnce = messages.length > BURST ? Math.ceil(messages.length / SLICES) : BURST;
    for (let start = 0; start < messages.length; start += atOnce) {
      if (start > 0) await this.#ports.wait(SPREAD_MS / SLICES);
      if (this.newest > revision) return;
      for (const { socket, message } of messages.slice(start, start + atOnce))
        this.#ports.send(socket, message);
    }
    this.#save({ ...this.#state, sent: revision });
  }

  #save(state: LeafState): void {
    this.#state = state;
    this.#ports.save(state);
  }
}
