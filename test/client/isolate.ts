import { Edge } from "../../src/client/edge.ts";
import type { ClientPorts } from "../../src/client/ports.ts";
import { ApiError } from "../../src/core/errors/api-error.ts";
import { buildSnapshot, type Snapshot } from "../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY } from "../../src/core/strategies/strategy.ts";
import type { KnownKey } from "../../src/management/api-keys/ports.ts";
import { FakeClock } from "../support/clock.ts";

export const KEY = "k".repeat(64);
export const OTHER_KEY = "o".repeat(64);
const KNOWN: KnownKey = { id: 7, keyType: "SERVER", environmentId: 1, projectId: 1 };

/** The snapshot of the test environment: one flag, whose percentage is the revision number. */
export const snapshotAt = (revision: number, changedAt = 0): Snapshot =>
  buildSnapshot({
    environmentId: 1,
    revision,
    changedAt,
    flags: [
      {
        key: "flag",
        name: "Flag",
        archived: false,
        strategy: { ...DEFAULT_STRATEGY, enabled: true, percentage: revision },
      },
    ],
    segments: new Map(),
    changes: [],
  });

const noLimit = { limit: async () => ({ success: true }) };

const never = () => new Promise<never>(() => {});

/** How the fake database or the fake KV store responds. */
type Mood = "works" | "fails" | "hangs" | "is slow";
const SLOW_MS = 20;

/** Returns the results of the four statements of a build of the rules, at a revision. */
function rowsAt({ revision, changedAt }: { revision: number; changedAt: number }): unknown[][] {
  const [{ key, name, activation }] = JSON.parse(snapshotAt(revision).body);
  const flag = { key, name, archived: 0, enabled: 1, percentage: activation.rollOut };
  const rest = { constraints: "[]", stickiness: null, segmentIds: "[]" };
  return [[{ revision, changedAt }], [{ ...flag, ...rest }], [], []];
}

/**
 * An isolate with its own fake database, KV store and clock. Time passes only while a request
 * waits, or with `pass`.
 */
export function isolate() {
  const clock = new FakeClock(Date.UTC(2026, 0, 2));
  let running = 0;
  async function inMood<T>(mood: Mood, answer: () => T): Promise<T> {
    if (mood === "hangs") return never();
    if (mood === "fails") throw new Error("unavailable");
    if (mood === "is slow") await clock.wait(SLOW_MS);
    return answer();
  }
  const faults: string[] = [];
  const left: Promise<unknown>[] = [];
  const database = {
    keyCheck: "works" as Mood,
    build: "works" as Mood,
    revision: 1,
    changedAt: 0,
    isKeyAlive: true,
    questions: 0,
    /** If set, the fake database returns these rows, a list per statement, when rules are built. */
    rows: undefined as unknown[][] | undefined,
    /** Completes a build of the rules that hangs. */
    release: () => {},
  };
  const store = {
    mood: "works" as Mood,
    snapshot: undefined as Snapshot | undefined,
    key: undefined as KnownKey | undefined,
    looks: 0,
    puts: [] as number[],
  };
  const results = () => (database.rows ?? rowsAt(database)).map((rows) => ({ results: rows }));
  const session = {
    getBookmark: () => null,
    prepare: () => ({
      bind: () => ({
        first: () => {
          database.questions += 1;
          return inMood(database.keyCheck, () =>
            database.isKeyAlive ? { ...KNOWN, revision: database.revision } : null,
          );
        },
      }),
    }),
    batch: () => {
      database.questions += 1;
      if (database.build !== "hangs") return inMood(database.build, results);
      return new Promise((resolve) => {
        database.release = () => resolve(results());
      });
    },
  };
  const ports = {
    now: clock.now,
    wait: clock.wait,
    openSession: () => session,
    later: (work: Promise<unknown>) => left.push(work.catch(() => faults.push("later"))),
    fault: (what: string) => faults.push(what),
    failures: () => ({ check: () => {}, count: () => {} }),
    reportRefused: async () => {},
    rates: { key: noLimit, browser: noLimit },
    sendUsage: async () => {},
    store: {
      snapshot: () => {
        store.looks += 1;
        return inMood(store.mood, () => store.snapshot);
      },
      putSnapshot: async ({ revision }: Snapshot) => store.puts.push(revision),
      key: () => inMood(store.mood, () => store.key),
    },
  } as unknown as ClientPorts;

  /** Moves the clock from timer to timer until the work is done. Returns the result of the work. */
  async function finished<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const end = () => {
      state.isDone = true;
    };
    work.then(end, end);
    // The timers of earlier requests' timeouts must not fire any more.
    if (running === 0) clock.dropTimers();
    running += 1;
    for (;;) {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      if (state.isDone) {
        running -= 1;
        return work;
      }
      clock.skipToNextTimer();
    }
  }

  const edge = new Edge();
  return {
    edge,
    ports,
    database,
    store,
    faults,
    pass: (ms: number) => clock.jump(ms),
    /** Waits for the work that requests left to run after their responses. */
    rest: () => Promise.all(left.splice(0)),
    /**
     * Polls with an API key. Returns the served revision (with `*` if stale) or the status of the
     * error, and the milliseconds that the request took.
     */
    poll: async (key = KEY, edgeOf = edge): Promise<readonly [string, number]> => {
      const began = clock.now();
      const work = (async () => edgeOf.serve(ports, key, "rules:read"))();
      try {
        const { set, stale } = await finished(work);
        return [`${set.snapshot.revision}${stale ? "*" : ""}`, clock.now() - began];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return [String(error.status), clock.now() - began];
      }
    },
  };
}

export const known = KNOWN;
