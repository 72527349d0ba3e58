import type { Miniflare } from "miniflare";

/** A connection to V8's inspector that reads one isolate's memory. */
export interface Inspector {
  /** Returns the bytes of V8 heap and external buffers in use after a garbage collection. */
  heapBytes(): Promise<number>;
  close(): void;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

/**
 * The pause between two requests during a garbage collection, milliseconds. workerd runs a
 * requested garbage collection only while it serves a request.
 */
const WAKE_MS = 20;

/**
 * Connects to the runtime's Worker `service`. `wake` sends any request to the Worker.
 * Throws: an Error when the Worker was started without an inspector.
 */
export async function inspect(
  miniflare: Miniflare,
  wake: () => Promise<unknown>,
): Promise<Inspector> {
  const url = await miniflare.getInspectorURL();
  const socket = new WebSocket(`ws://${url.host}/core:user:service`);
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let lastId = 0;
  const call = (method: string) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method }));
    });
  return {
    heapBytes: async () => {
      const waking = setInterval(() => void wake(), WAKE_MS);
      await call("HeapProfiler.collectGarbage");
      clearInterval(waking);
      const usage = (await call("Runtime.getHeapUsage")) as HeapUsage;
      return usage.usedSize + (usage.backingStorageSize ?? 0);
    },
    close: () => socket.close(),
  };
}
