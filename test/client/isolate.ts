import { Edge } from "../../src/client/edge/edge.ts";
import type { ClientPorts, KeyCopy } from "../../src/client/sources/ports.ts";
import { ApiError } from "../../src/core/errors/api-error.ts";
import { buildSnapshot, type Snapshot } from "../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY, STRATEGY_COLUMNS } from "../../src/core/strategies/strategy.ts";
import type { KnownKey } from "../../src/core/api-keys/known-key.ts";
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
    archivedKeys: [],
    archivedServerKeys: [],
    changes: [],
  });

/** The row of a key check that finds no API key. */
const NO_KEY = { id: null, isRevoked: 0, reportedAt: null };

const noLimit = { limit: async () => ({ success: true }) };

const never = () => new Promise<never>(() => {});

/** How the fake database or the fake KV store behaves. */
type Mood = "works" | "fails" | "hangs" | "is slow";
const SLOW_MS = 20;

/** Returns the results of the four statements of a build of the rules, at a revision. */
function rowsAt({ revision, changedAt }: { revision: number; changedAt: number }): unknown[][] {
  const [{ key, name, activation }] = JSON.parse(snapshotAt(revision).body);
  const values = { valueType: "boolean", variants: null, offVariant: "off", prerequisites: "[]" };
  const defaults = Object.fromEntries(STRATEGY_COLUMNS.map((field) => [field, null]));
  const strategy = { ...defaults, enabled: 1, percentage: activation.rollOut };
  const flag = { key, name, archived: 0, clients: "all", ...values, ...strategy };
  return [[{ revision, changedAt, archivedKeys: "[]", archivedServerKeys: "[]" }], [flag], [], []];
}

/** How many hashes other threads are computing at the moment. */
let hashing = 0;
const digest = crypto.subtle.digest.bind(crypto.subtle);
crypto.subtle.digest = (...args) => {
  hashing += 1;
  return digest(...args).finally(() => (hashing -= 1));
};

/** Waits for all work that needs no timer. On a busy machine a hash can take many turns. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn = hashing > 0 ? 0 : turn + 1) await new Promise(setImmediate);
}

/**
 * An isolate with its own fake database, KV store and clock. Time passes only while a request
 * waits, or when a test calls `pass`.
 */
export function isolate() {
  const start = Date.UTC(2026, 0, 2);
  const clock = new FakeClock(start);
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
    /** The time at which the API key is deleted, epoch milliseconds. */
    keyDeletedAt: Infinity,
    /** How long the nearest replica lags behind the primary, milliseconds. */
    lagMs: 0,
    /** When each revision after the first was committed, epoch milliseconds. See `commit`. */
    committedAt: [] as number[],
    /** Whether the API key exists at the primary, but not yet at the replica. */
    isKeyNew: false,
    questions: 0,
    /** How many of the database queries in `questions` went to the primary. */
    atPrimary: 0,
    /**
     * The results that the fake database returns for a build of the rules, one list per statement.
     * If undefined, the results are valid.
     */
    rows: undefined as unknown[][] | undefined,
    /** When the API key was created, epoch milliseconds. */
    createdAt: start,
    /** Completes a build of the rules that hangs. */
    release: () => {},
    /** Completes a key check that hangs, with the row at the time when the check began. */
    answerKeyCheck: () => {},
  };
  const store = {
    mood: "works" as Mood,
    snapshot: undefined as Snapshot | undefined,
    key: undefined as KeyCopy | undefined,
    /** How often the rules and the key were read. */
    looks: 0,
    keyLooks: 0,
    puts: [] as number[],
    keyPuts: 0,
  };
  /** Returns the revision that the primary or the replica has. */
  function revisionAt(isPrimary: boolean): number {
    if (isPrimary || database.committedAt.length === 0) return database.revision;
    const seenUntil = clock.now() - database.lagMs;
    return 1 + database.committedAt.filter((at) => at <= seenUntil).length;
  }
  const results = (isPrimary: boolean) =>
    (database.rows ?? rowsAt({ ...database, revision: revisionAt(isPrimary) })).map((rows) => ({
      results: rows,
    }));
  /** Returns the row of a key check at the primary or at the replica. */
  function keyRow(isPrimary: boolean) {
    const seenAt = clock.now() - (isPrimary ? 0 : database.lagMs);
    if (seenAt >= database.keyDeletedAt) return { ...NO_KEY, isRevoked: 1 };
    if (!database.isKeyAlive || (database.isKeyNew && !isPrimary)) return NO_KEY;
    const { createdAt } = database;
    return { ...KNOWN, revision: revisionAt(isPrimary), createdAt, isRevoked: 0, reportedAt: null };
  }
  const openSession = (from: string) => {
    // Treats a session that starts at a bookmark like the primary, because it sees what the primary
    // had when the bookmark was made.
    const isPrimary = from !== "first-unconstrained";
    return {
      getBookmark: () => (isPrimary ? "bookmark" : null),
      prepare: (sql: string) => ({
        bind: () => ({
          first: () => {
            database.questions += 1;
            if (from === "first-primary") database.atPrimary += 1;
            const read = () =>
              sql.startsWith("SELECT revision")
                ? { revision: revisionAt(true) }
                : keyRow(isPrimary);
            if (database.keyCheck !== "hangs") return inMood(database.keyCheck, read);
            const row = read();
            return new Promise((resolve) => {
              database.answerKeyCheck = () => resolve(row);
            });
          },
        }),
      }),
      batch: () => {
        database.questions += 1;
        if (database.build !== "hangs") return inMood(database.build, () => results(isPrimary));
        return new Promise((resolve) => {
          database.release = () => resolve(results(isPrimary));
        });
      },
    };
  };
  const ports = {
    now: clock.now,
    wait: clock.wait,
    openSession,
    later: (work: Promise<unknown>) => left.push(work.catch(() => faults.push("later"))),
    fault: (what: string) => faults.push(what),
    failures: () => ({ check: () => {}, count: () => {} }),
    reportRevoked: async () => {},
    rates: { key: noLimit, browser: noLimit },
    usage: {
      flushMs: 0,
      reportSeconds: 300,
      objectOf: String,
      add: async () => {},
      enqueue: async () => {},
    },
    store: {
      snapshot: () => {
        store.looks += 1;
        return inMood(store.mood, () => store.snapshot);
      },
      putSnapshot: async ({ revision }: Snapshot) => store.puts.push(revision),
      key: () => {
        store.keyLooks += 1;
        return inMood(store.mood, () => store.key);
      },
      putKey: async (_hash: string, key: KnownKey) => {
        store.key = { ...key, writtenAt: clock.now() };
        store.keyPuts += 1;
      },
      deleteKey: async () => {
        store.key = undefined;
      },
    },
  } as unknown as ClientPorts;

  /** Does work, and moves the clock from timer to timer until the work ends. */
  async function finished<T>(doWork: () => Promise<T>): Promise<T> {
    // Drops the timers of earlier timeouts, which must not fire any more.
    if (running === 0) clock.dropTimers();
    const state = { isDone: false };
    const end = () => {
      state.isDone = true;
    };
    const work = doWork();
    work.then(end, end);
    running += 1;
    for (;;) {
      await settled();
      if (state.isDone) {
        running -= 1;
        return work;
      }
      clock.skipToNextTimer();
    }
  }

  /** Runs the work that requests left to run after their responses, without starting new work. */
  async function rest(): Promise<void> {
    const remaining = new Set(left.splice(0));
    for (const work of remaining) void work.then(() => remaining.delete(work));
    for (await settled(); remaining.size > 0; await settled()) clock.skipToNextTimer();
  }

  const edge = new Edge();
  return {
    edge,
    ports,
    database,
    store,
    faults,
    pass: (ms: number) => clock.jump(ms),
    /** Commits a revision at the primary. The replica has it after `database.lagMs`. */
    commit: (): number => {
      database.committedAt.push(clock.now());
      database.revision += 1;
      return database.revision;
    },
    rest,
    /**
     * Begins a poll and runs it until it waits. Returns a function that completes the poll without
     * moving the clock, and returns the served revision or the status of the error.
     */
    beginPoll: async (edgeOf = edge): Promise<() => Promise<string>> => {
      const work = (async () => edgeOf.serve(ports, KEY, "rules:read"))().then(
        ({ set }) => String(set.snapshot.revision),
        (error: unknown) => String(error instanceof ApiError ? error.status : error),
      );
      await settled();
      return () => work;
    },
    /**
     * Polls with an API key, and demands a minimum revision if there is one. Returns the served
     * revision (with `*` if stale) or the status of the error, and the milliseconds that the request
     * took.
     */
    poll: async (
      key = KEY,
      edgeOf = edge,
      minRevision?: number,
    ): Promise<readonly [string, number]> => {
      const began = clock.now();
      try {
        const { set, stale } = await finished(async () => {
          const served = await edgeOf.serve(ports, key, "rules:read");
          return minRevision === undefined ? served : edgeOf.atLeast(ports, served, minRevision);
        });
        return [`${set.snapshot.revision}${stale ? "*" : ""}`, clock.now() - began];
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return [String(error.status), clock.now() - began];
      }
    },
  };
}

export const known = KNOWN;
/** A copy of the API key in KV that is older than a day. */
export const oldCopy: KeyCopy = { ...KNOWN, writtenAt: 0 };
