import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventStream } from "../../src/client/stream/event-stream.ts";
import { EventCursor } from "../../src/core/stream/event-cursor.ts";

const HEARTBEAT_MS = 25_000;

/** The Worker's end of a WebSocket to a leaf. */
class FakeSocket extends EventTarget {
  readonly sent: string[] = [];
  isAccepted = false;
  isClosed = false;

  accept(): void {
    this.isAccepted = true;
  }

  send(text: string): void {
    if (this.isClosed) throw new Error("the socket is closed");
    this.sent.push(text);
  }

  close(): void {
    if (this.isClosed) throw new Error("the socket is closed");
    this.isClosed = true;
  }

  receive(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

function newStream(has = 1, first?: string, cursor = new EventCursor(has)) {
  const socket = new FakeSocket();
  const client = new AbortController();
  const counts = { events: 0, heartbeats: 0, ends: 0 };
  const body = eventStream(socket as unknown as WebSocket, {
    cursor,
    format: (revision, data) => `id: ${revision}\ndata: ${data}\n\n`,
    first,
    signal: client.signal,
    onEvent: () => (counts.events += 1),
    onHeartbeat: () => (counts.heartbeats += 1),
    onEnd: () => (counts.ends += 1),
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const next = async () => {
    const { done, value } = await reader.read();
    return done ? undefined : decoder.decode(value);
  };
  return { socket, client, counts, reader, next };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the body of an event stream", () => {
  it("begins with the retry delay and the first event, and passes on only newer revisions", async () => {
    const { socket, counts, next } = newStream(1, "first\n\n");
    expect(socket.isAccepted).toBe(true);
    expect(await next()).toMatch(/^retry: [1-5]\d{3}\n\n$/);
    expect(await next()).toBe("first\n\n");
    for (const revision of [3, 2, 3, 1, 4]) socket.receive(`${revision}\n{"n":${revision}}`);
    expect(await next()).toBe('id: 3\ndata: {"n":3}\n\n');
    expect(await next()).toBe('id: 4\ndata: {"n":4}\n\n');
    expect(counts).toEqual({ events: 2, heartbeats: 0, ends: 0 });
  });

  it("contains a comment for each answered ping", async () => {
    const { socket, counts, next } = newStream();
    await next();
    for (let n = 1; n <= 3; n++) {
      vi.advanceTimersByTime(HEARTBEAT_MS);
      expect(socket.sent).toHaveLength(n);
      socket.receive("pong");
      expect(await next()).toBe(": heartbeat\n\n");
    }
    expect(counts).toEqual({ events: 0, heartbeats: 3, ends: 0 });
  });

  it.each<[string, (stream: ReturnType<typeof newStream>) => unknown]>([
    ["the client disconnects", ({ client }) => client.abort()],
    ["the client cancels the body", ({ reader }) => reader.cancel()],
    ["the leaf closes the socket", ({ socket }) => socket.dispatchEvent(new Event("close"))],
    ["the socket fails", ({ socket }) => socket.dispatchEvent(new Event("error"))],
    ["the leaf does not answer a ping", () => vi.advanceTimersByTime(2 * HEARTBEAT_MS)],
    [
      "the client does not read",
      ({ socket }) => {
        for (let n = 2; n < 60; n++) socket.receive(`${n}\n${"x".repeat(16_384)}`);
      },
    ],
  ])("ends only once, clears its timer and closes its socket when %s", async (_, end) => {
    const stream = newStream();
    await end(stream);
    expect(stream.counts.ends).toBe(1);
    expect(stream.socket.isClosed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    // Sends a message after the end of the stream. This message must change nothing.
    const { events } = stream.counts;
    stream.socket.receive("1000\nlate");
    stream.client.abort();
    expect(stream.counts).toMatchObject({ events, ends: 1 });
  });

  it("ends when a notification has an older revision than the client, whose revision nobody has confirmed", async () => {
    const cursor = new EventCursor(9);
    cursor.doubt();
    const { socket, counts, next } = newStream(9, undefined, cursor);
    await next();
    socket.receive("9\n{}");
    expect(counts).toMatchObject({ events: 0, ends: 0 });
    socket.receive("8\n{}");
    expect(await next()).toBeUndefined();
    expect(counts).toMatchObject({ events: 0, ends: 1 });
  });

  it("stays open after an older notification when a newer notification has confirmed the client's revision", async () => {
    const cursor = new EventCursor(9);
    cursor.doubt();
    const { socket, counts, next } = newStream(9, undefined, cursor);
    await next();
    for (const revision of [10, 8]) socket.receive(`${revision}\n{}`);
    expect(await next()).toBe("id: 10\ndata: {}\n\n");
    expect(counts).toMatchObject({ events: 1, ends: 0 });
  });

  it("ends at once when the client has disconnected before the stream begins", () => {
    const client = new AbortController();
    client.abort();
    const socket = new FakeSocket();
    let ends = 0;
    eventStream(socket as unknown as WebSocket, {
      cursor: new EventCursor(1),
      format: String,
      first: undefined,
      signal: client.signal,
      onEvent: () => {},
      onHeartbeat: () => {},
      onEnd: () => (ends += 1),
    });
    expect([ends, socket.isClosed, vi.getTimerCount()]).toEqual([1, true, 0]);
  });
});
