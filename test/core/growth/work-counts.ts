import { Session } from "node:inspector/promises";

/** How often each block of the sources ran, by its file, function and offset. */
export type Counts = ReadonlyMap<string, number>;

const SOURCES = /\/(?:src|packages\/[a-z-]+\/src)\/[^?]*$/;

/**
 * Counts how often each block of code runs. The counts are the same on every machine, unlike times. V8
 * counts only in code that it loads after the start, so tests import the sources after it.
 */
export class WorkCounter {
  readonly #session = new Session();

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post("Profiler.enable");
    await this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  async stop(): Promise<void> {
    await this.#session.post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }

  /** Returns what a computation executes. Loops inside of the engine count by the items of their lists. */
  async of(compute: () => unknown): Promise<Counts> {
    const engine = countingEngineLoops();
    await this.#session.post("Profiler.takePreciseCoverage");
    try {
      await compute();
    } finally {
      engine.restore();
    }
    const { result } = await this.#session.post("Profiler.takePreciseCoverage");
    const counts = new Map<string, number>(engine.counts);
    for (const { url, functions } of result) {
      const [file] = SOURCES.exec(url) ?? [];
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions)
        for (const { startOffset, count } of ranges) {
          const block = `${file} ${functionName || "(function)"} at ${startOffset}`;
          counts.set(block, Math.max(count, counts.get(block) ?? 0));
        }
    }
    return counts;
  }
}

type Method = (this: { length?: number; size?: number }, ...input: unknown[]) => unknown;

/** Replaces the methods that search or copy a list, so that they count its items. */
function countingEngineLoops() {
  const counts = new Map<string, number>();
  const methods: [object, string | symbol][] = [
    [Array.prototype, "includes"],
    [Array.prototype, "indexOf"],
    [Array.prototype, "concat"],
    [Array.prototype, "slice"],
    [Array.prototype, Symbol.iterator],
    [Map.prototype, Symbol.iterator],
    [Map.prototype, "values"],
    [Set.prototype, Symbol.iterator],
  ];
  const originals = methods.map(([type, name]) => {
    const original = Reflect.get(type, name) as Method;
    const counted: Method = function (...input) {
      const key = `the lists of ${String(name)}`;
      counts.set(key, (counts.get(key) ?? 0) + (this.length ?? this.size ?? 0));
      return original.apply(this, input);
    };
    Object.defineProperty(type, name, { value: counted, configurable: true, writable: true });
    return () =>
      Object.defineProperty(type, name, { value: original, configurable: true, writable: true });
  });
  return {
    counts,
    restore: () => {
      for (const restore of originals) restore();
    },
  };
}

/** Blocks that run less often are no problem, whatever their growth. */
const RARE = 1_500;
/** Twice the input doubles a linear loop, and a quadratic loop runs four times as often. */
const MOST_GROWTH = 3;

/** Returns the blocks that run more than `MOST_GROWTH` times as often for twice the input. */
export const growingBlocks = (once: Counts, twice: Counts): string[] =>
  Array.from(twice)
    // V8 sometimes leaves out the count of a function that it has optimised.
    .filter(([block, count]) => count > RARE && count > MOST_GROWTH * (once.get(block) || Infinity))
    .map(([block, count]) => `${block}: ${once.get(block)}, then ${count}`);
