interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly Node[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A time without pause in which the isolate ran JavaScript. */
export interface Slice {
  readonly ms: number;
  /** The functions that ran for most of it, with their share of samples, deepest calls counted to all callers. */
  readonly names: readonly string[];
}

/** The time between two samples of the profiler, microseconds. */
const INTERVAL_US = 500;

/** Profiles one isolate by the inspector of its runtime. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: { readonly profile?: Profile }) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: object };
      this.#waiting.get(id)?.(result);
    });
  }

  /** Starts to profile. `inspector`: the address of the inspector; `isolate`: its name there. */
  static async start(inspector: URL, isolate: string): Promise<Profiler> {
    const socket = new WebSocket(new URL(`/${isolate}`, inspector).href);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const profiler = new Profiler(socket);
    await profiler.#send("Profiler.enable");
    await profiler.#send("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    await profiler.#send("Profiler.start");
    return profiler;
  }

  #send(method: string, params: object = {}): Promise<{ readonly profile?: Profile }> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Ends the profile, and returns it. */
  async stop(): Promise<Profile> {
    const { profile } = await this.#send("Profiler.stop");
    this.#socket.close();
    if (!profile) throw new Error("The inspector must return a profile");
    return profile;
  }
}

/** Returns the slices of a profile, the longest first. */
export function slicesOf({ nodes, samples, timeDeltas }: Profile): Slice[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const isPause = (id: number) =>
    ["(idle)", "(program)", "(root)"].includes(byId.get(id)?.callFrame.functionName ?? "");
  const slices: Slice[] = [];
  let [us, count] = [0, 0];
  let counts = new Map<string, number>();
  const end = () => {
    if (count > 0)
      slices.push({
        ms: us / 1000,
        names: [...counts]
          .toSorted(([, a], [, b]) => b - a)
          .slice(0, 45)
          .map(([name, n]) => `${name} ${Math.round((100 * n) / count)}%`),
      });
    [us, count] = [0, 0];
    counts = new Map();
  };
  for (const [n, id] of samples.entries()) {
    if (isPause(id)) {
      end();
      continue;
    }
    // A longer time between two samples is that of another process.
    us += Math.min(timeDeltas[n] ?? 0, 2 * INTERVAL_US);
    count += 1;
    const names = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame && frame.functionName !== "(root)")
        names.add(`${frame.functionName || "(anonymous)"}:${frame.lineNumber + 1}`);
    }
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  end();
  return slices.toSorted((a, b) => b.ms - a.ms);
}
