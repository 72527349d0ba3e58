import { Lru } from "../../core/lib/lru.ts";
import { raceTimeout, TimeoutError } from "../../core/lib/timeout.ts";
import { trackInProgress } from "../../core/metrics/instruments.ts";
import { type CircuitBreaker, CircuitOpenError } from "../sources/circuit-breaker.ts";
import type { EdgeMetrics } from "../sources/edge-metrics.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { type KeyRow, readRevision } from "../sources/queries.ts";
import type { RuleCache } from "./rule-cache.ts";
import type { RuleLoader } from "./rule-loader.ts";
import type { RuleSet } from "./rule-set.ts";

/** How long a request waits for its minimum revision at most, milliseconds. */
export const MAX_WAIT_MS = 2_000;

/**
 * How long an isolate waits after an attempt that did not find the demanded rules of an
 * environment, milliseconds. The time doubles with each such attempt. So a caller who demands
 * revisions that do not exist costs the primary at most one statement a second.
 */
const FIRST_PAUSE_MS = 50;
export const MAX_PAUSE_MS = 1_000;

/**
 * How often a waiting request checks whether another request has loaded the rules, milliseconds.
 * The time doubles with each check.
 */
const FIRST_POLL_MS = 5;
const MAX_POLL_MS = 80;

/** The most environments for which an isolate remembers its attempts. */
const MAX_ENVIRONMENTS = 1_000;

/** What a request demands: rules of at least this revision. */
interface Demand {
  readonly key: KeyRow;
  readonly revision: number;
}

/** What the isolate found for a demanded revision. Both fields are missing while the database is down. */
interface Reached {
  /** Rules of at least the demanded revision. */
  readonly set?: RuleSet;
  /** The newest revision, if the primary does not have the demanded one. */
  readonly newest?: number;
}

/** What the isolate remembers about its attempts for one environment. */
interface Attempts {
  /** Until when other requests wait for the running attempt, epoch milliseconds. */
  runningUntil: number;
  /** Until when no attempt begins, epoch milliseconds. */
  nextAt: number;
  /** The pause after the next attempt that does not find the demanded rules, milliseconds. */
  pauseMs: number;
  /** When the primary was last asked for the newest revision, epoch milliseconds. */
  askedAt: number;
  /** The revision that the primary returned. */
  newest: number;
}

/**
 * The result of an attempt. `absent`: the primary does not have the demanded revision. `open`: the
 * database timed out a moment ago, so it is not asked.
 */
type Result = "reached" | "absent" | "failed" | "open";

/**
 * Loads rules of at least a demanded revision, when the isolate has older ones. A change reaches
 * clients as an event before it reaches the database replicas, so the primary is asked.
 *
 * Of the requests for one environment, one makes the attempt, and the others wait for its result.
 */
export class CatchUp {
  readonly #cache: RuleCache;
  readonly #loader: RuleLoader;
  readonly #database: CircuitBreaker;
  readonly #metrics: EdgeMetrics;
  readonly #attempts = new Lru<number, Attempts>(MAX_ENVIRONMENTS);

  constructor(of: {
    readonly cache: RuleCache;
    readonly loader: RuleLoader;
    readonly database: CircuitBreaker;
    readonly metrics: EdgeMetrics;
  }) {
    this.#cache = of.cache;
    this.#loader = of.loader;
    this.#database = of.database;
    this.#metrics = of.metrics;
  }

  /**
   * Returns rules of at least `demand.revision`. Waits for up to `MAX_WAIT_MS` while they cannot be loaded.
   * Returns no rules when they still cannot be, or when the primary does not have the revision.
   */
  reach(ports: ClientPorts, demand: Demand): Promise<Reached> {
    return trackInProgress(this.#metrics.pending, () => this.#reach(ports, demand));
  }

  async #reach(ports: ClientPorts, demand: Demand): Promise<Reached> {
    const { key, revision } = demand;
    const beganAt = ports.now();
    const deadline = beganAt + MAX_WAIT_MS;
    const attempts = this.#attemptsOf(key.environmentId);
    for (let poll = FIRST_POLL_MS; ; poll = Math.min(poll * 2, MAX_POLL_MS)) {
      const set = this.#cache.held(key.environmentId);
      if (set && set.snapshot.revision >= revision) return { set };
      const now = ports.now();
      if (now >= deadline) return {};
      // Gives up: the primary was asked after this request began, and returned an older revision.
      if (attempts.askedAt > beganAt && attempts.newest < revision)
        return { newest: attempts.newest };
      if (now < attempts.runningUntil || now < attempts.nextAt)
        await ports.wait(Math.min(poll, deadline - now));
      else {
        const result = await this.#attemptInTime(ports, demand, attempts, deadline);
        if (result === "absent") return { newest: attempts.newest };
        if (result === "open") return {};
      }
    }
  }

  /** Makes an attempt. The attempt continues after the deadline, for later requests. */
  async #attemptInTime(
    ports: ClientPorts,
    demand: Demand,
    attempts: Attempts,
    deadline: number,
  ): Promise<Result> {
    const attempt = this.#attempt(ports, demand, attempts);
    ports.later(attempt);
    try {
      return await raceTimeout((ms) => ports.wait(ms), deadline - ports.now(), attempt);
    } catch (error) {
      if (error instanceof TimeoutError) return "failed";
      throw error;
    }
  }

  /** Makes an attempt, and sets the time before which no other attempt begins. */
  async #attempt(ports: ClientPorts, demand: Demand, attempts: Attempts): Promise<Result> {
    const runningUntil = ports.now() + MAX_WAIT_MS;
    attempts.runningUntil = runningUntil;
    let result: Result = "failed";
    try {
      result = await this.#load(ports, demand, attempts);
    } catch (error) {
      if (error instanceof CircuitOpenError) result = "open";
      else ports.fault("rule build", error);
    }
    if (attempts.runningUntil === runningUntil) attempts.runningUntil = 0;
    if (result === "reached") Object.assign(attempts, { nextAt: 0, pauseMs: FIRST_PAUSE_MS });
    else {
      attempts.nextAt = ports.now() + attempts.pauseMs;
      attempts.pauseMs = Math.min(attempts.pauseMs * 2, MAX_PAUSE_MS);
    }
    return result;
  }

  /**
   * Looks in KV, where the writer publishes a change before clients learn of it. If KV has older
   * rules, asks the primary for the newest revision, and loads its rules.
   */
  async #load(ports: ClientPorts, demand: Demand, attempts: Attempts): Promise<Result> {
    const { key, revision } = demand;
    const stored = await this.#loader.look(ports, key.environmentId);
    if (stored && stored.snapshot.revision >= revision) return "reached";
    const askedAt = ports.now();
    const { newest, bookmark } = await this.#database.call(ports, async () => {
      const primary = ports.openSession("first-primary");
      const found = await readRevision(primary, key.environmentId);
      return { newest: found, bookmark: primary.getBookmark() ?? undefined };
    });
    Object.assign(attempts, { askedAt, newest });
    const held = this.#cache.held(key.environmentId);
    if (newest < revision && held && held.snapshot.revision >= newest) return "absent";
    // Loads the newer rules even if they are older than this request demands. Other requests waited
    // for this attempt, and the rules may be new enough for them.
    const lease = { stale: false, bookmark };
    const { set } = await this.#loader.load(ports, { ...key, revision: newest }, lease);
    if (set.snapshot.revision >= revision) return "reached";
    return newest < revision ? "absent" : "failed";
  }

  #attemptsOf(environmentId: number): Attempts {
    const known = this.#attempts.get(environmentId);
    if (known) return known;
    const none = { runningUntil: 0, nextAt: 0, pauseMs: FIRST_PAUSE_MS, askedAt: 0, newest: 0 };
    this.#attempts.set(environmentId, none);
    return none;
  }
}
