import { type Message, PROBE, readMessage } from "../../core/stream/change.ts";
import type { EventCursor } from "../../core/stream/event-cursor.ts";

/**
 * How often a Worker pings its leaf, milliseconds. The leaf answers without waking, and the answer
 * becomes a comment in the stream. Proxies close a connection that is silent for 60 seconds.
 */
const HEARTBEAT_MS = 25_000;

/**
 * The most bytes that may wait for a client that reads more slowly than events arrive. Above this,
 * the stream ends and the client connects again.
 */
const MAX_BACKLOG_BYTES = 262_144;

/**
 * After which time the Worker writes a second comment after a probe, milliseconds. The first write
 * to a client that has left still succeeds.
 */
const SECOND_PROBE_MS = 1_000;

/** The range of the delay before a client connects again, milliseconds. */
const RETRY_MS = { least: 1_000, most: 5_000 };

const encoder = new TextEncoder();

interface EventStreamOptions {
  readonly cursor: EventCursor;
  /** Returns an event, as text. */
  readonly format: (revision: number, data: string) => string;
  /** The text at the start of the stream, such as an event; undefined: the client has the newest revision. */
  readonly first: string | undefined;
  /** The signal of the request. It fires when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called for each event after `first`. */
  readonly onEvent: (message: Message) => void;
  readonly onHeartbeat: () => void;
  readonly onEnd: () => void;
}

/**
 * Returns the body of an event stream, which passes on what the leaf sends through the socket. The stream
 * ends when the leaf closes the socket or does not answer a ping, when the client disconnects or does not
 * read, and when the client's revision turns out not to exist. The client connects again then.
 */
export function eventStream(
  socket: WebSocket,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const { cursor, format, first, signal, onEvent, onHeartbeat, onEnd } = options;
  let isOpen = true;
  let awaitsPong = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    onEnd();
    attempt(() => socket.close(1000, "the client has left"));
    attempt(() => controller?.close());
  }
  /** Does nothing after the end of the stream, because messages may still arrive. */
  function write(text: string): void {
    if (!isOpen || !controller) return;
    if ((controller.desiredSize ?? 0) <= 0) end();
    else controller.enqueue(encoder.encode(text));
  }
  function probe(): void {
    write(":\n\n");
    setTimeout(() => write(":\n\n"), SECOND_PROBE_MS);
  }
  function ping(): void {
    if (awaitsPong) return end();
    awaitsPong = true;
    attempt(() => socket.send("ping"));
  }

  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") return;
    awaitsPong = false;
    if (data === PROBE) return probe();
    if (data === "pong") {
      onHeartbeat();
      return write(": heartbeat\n\n");
    }
    const message = readMessage(data);
    const { revision } = message;
    // Ends the stream, so that the client connects again. The database may then say which revision
    // is the newest.
    if (cursor.isContradictedBy(revision)) return end();
    if (!isOpen || !cursor.advance(revision)) return;
    onEvent(message);
    write(format(revision, message.data));
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  signal.addEventListener("abort", end);
  return new ReadableStream<Uint8Array>(
    {
      start(ours) {
        controller = ours;
        const { least, most } = RETRY_MS;
        write(`retry: ${least + Math.floor(Math.random() * (most - least + 1))}\n\n`);
        if (first !== undefined) write(first);
        timer = setInterval(ping, HEARTBEAT_MS);
        socket.accept();
        if (signal.aborted) end();
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BACKLOG_BYTES }),
  );
}

/** Calls a method of a socket or a stream that may be closed already. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Ignores the error: the socket or the stream was closed already.
  }
}
