import { setInterval } from "node:timers";
import { setTimeout } from "node:timers/promises";

/** How often the heap is read while a request runs, milliseconds. */
const INTERVAL_MS = 20;

/** How long an isolate may take to answer, milliseconds. One that was evicted never answers. */
const TIMEOUT_MS = 20_000;

const NOTHING: Usage = { usedSize: 0, totalSize: 0 };

interface Usage {
  /** The bytes of JavaScript objects, garbage that was not collected yet included. */
  readonly usedSize: number;
  /** The bytes that the heap has from the operating system. */
  readonly totalSize: number;
  /** The bytes of buffers outside of the heap, such as bodies. */
  readonly backingStorageSize?: number;
  readonly embedderHeapUsedSize?: number;
}

/** Reads the heap of one isolate by the inspector of its runtime. */
export class HeapMeter {
  readonly isolate: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last = 0;

  private constructor(socket: WebSocket, isolate: string) {
    this.#socket = socket;
    this.isolate = isolate;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  /** Connects to an isolate. `inspector`: the address of the inspector. */
  static async connect(inspector: URL, isolate: string): Promise<HeapMeter> {
    const socket = new WebSocket(new URL(`/${isolate}`, inspector).href);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    return new HeapMeter(socket, isolate);
  }

  #send(method: string): Promise<unknown> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method }));
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    return Promise.race([answer, setTimeout(TIMEOUT_MS, undefined, { ref: false })]);
  }

  async usage(): Promise<Usage> {
    return ((await this.#send("Runtime.getHeapUsage")) as Usage | undefined) ?? NOTHING;
  }

  /** Returns the bytes that are still in use after a garbage collection. */
  async live(): Promise<number> {
    await this.#send("HeapProfiler.enable");
    await this.#send("HeapProfiler.collectGarbage");
    return bytesOf(await this.usage());
  }

  /** Returns the most bytes that are in use while `work` runs, garbage included. */
  async peak<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly peak: number }> {
    let peak = 0;
    const read = async () => {
      peak = Math.max(peak, bytesOf(await this.usage()));
    };
    const timer = setInterval(() => void read(), INTERVAL_MS);
    try {
      const result = await work();
      return { result, peak };
    } finally {
      clearInterval(timer);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Returns the bytes that count for the limit of an isolate: objects, and the buffers that they hold. */
const bytesOf = ({ usedSize, backingStorageSize = 0, embedderHeapUsedSize = 0 }: Usage): number =>
  usedSize + backingStorageSize + embedderHeapUsedSize;

/** The isolates of a runtime, as its inspector lists them. */
export async function isolatesOf(inspector: URL): Promise<string[]> {
  const address = new URL("/json", inspector.href.replace(/^ws/, "http"));
  const list = (await (await fetch(address)).json()) as readonly { readonly id: string }[];
  return list.map(({ id }) => id);
}
