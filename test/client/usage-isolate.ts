import type { ClientPorts } from "../../src/client/sources/ports.ts";
import type { UndeliveredBatch, UsageBatch } from "../../src/core/usage/usage-batch.ts";
import { FakeClock } from "../support/clock.ts";

export const FLUSH_MS = 5_000;

/**
 * The ports of an isolate with its own clock, fake usage objects and a fake usage queue. Usage is
 * sent only when a test advances the clock with `after`.
 */
export function fakeIsolate() {
  const clock = new FakeClock();
  const added: UsageBatch[][] = [];
  const queued: UndeliveredBatch[] = [];
  const faults: unknown[] = [];
  const left = new Set<Promise<unknown>>();
  const at = { objectIsDown: false, objectHangs: false, queueIsDown: false };
  const ports = {
    now: clock.now,
    wait: clock.wait,
    later: (work: Promise<unknown>) => {
      left.add(work);
      void work.finally(() => left.delete(work));
    },
    fault: (_: string, error: unknown) => {
      faults.push(error);
    },
    usage: {
      flushMs: FLUSH_MS,
      reportSeconds: 300,
      objectOf: (projectId: number) => String(projectId),
      add: async (_: string, bodies: readonly string[]) => {
        if (at.objectIsDown) throw new Error("the object is unavailable");
        if (at.objectHangs) await new Promise<never>(() => {});
        added.push(bodies.map((body) => JSON.parse(body) as UsageBatch));
      },
      enqueue: async (batches: readonly UndeliveredBatch[]) => {
        if (at.queueIsDown) throw new Error("the queue is unavailable");
        queued.push(...batches);
      },
    },
  } as unknown as ClientPorts;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ports,
    clock,
    at,
    faults,
    queued,
    /** The number of pending flushes. */
    flushes: () => left.size,
    /** Advances the clock. Returns the calls of usage objects since the last call of `after`. */
    after: async (ms: number): Promise<UsageBatch[][]> => {
      clock.advance(ms);
      await settle();
      return added.splice(0);
    },
    /** Drops the unfinished work of requests, as the platform does when it cancels requests. */
    loseWork: () => {
      clock.dropTimers();
      left.clear();
    },
  };
}
