import type { ReportedUsage, UsageBatch } from "../../../src/core/usage/usage-batch.ts";
import type { HourWrite, LastUses } from "../../../src/core/usage/usage-entries.ts";
import type { InstanceHour, UsageState } from "../../../src/core/usage/usage-state.ts";
import { type UsageStorage, UsageStore } from "../../../src/core/usage/usage-store.ts";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { FakeClock } from "../../support/clock.ts";

export const HOUR = 500_000 * HOUR_MS;
export const SAVE_MS = 10_000;

export const reportOf = (more: Partial<ReportedUsage> = {}): ReportedUsage => ({
  environmentId: 1,
  at: HOUR,
  appName: "",
  instanceId: "",
  evaluations: [["a", 1, 2]],
  ...more,
});

let batches = 0;

/** Returns a batch of a sender that no other batch has, unless the test names a sender. */
export const batchOf = (more: Partial<UsageBatch> = {}): UsageBatch => ({
  kind: "batch",
  projectId: 1,
  sender: `isolate-${(batches += 1)}`,
  sequence: 1,
  reports: [reportOf()],
  keys: [],
  instances: [],
  ...more,
});

/** The steps of a usage object that a test can let fail. */
export type Step = "append" | "replace" | "alarm" | "projectExists" | "writeHour" | "writeUses";

/** How a step fails: without taking effect, or after it took effect. */
export type Failure = "before" | "after";

/** Sums of how often flags were true, by environment, hour and flag. */
export type Sums = Record<string, number>;

export const addTo = (sums: Sums, name: string, n: number): void => {
  sums[name] = (sums[name] ?? 0) + n;
};

/** A usage object with fake storage and a fake database. `restart` loses its memory. */
export class UsageWorld {
  readonly clock = new FakeClock(HOUR);
  /** Decides whether a step fails, and how. */
  failureOf: (step: Step) => Failure | undefined = () => undefined;
  log: string[] = [];
  readonly completed: InstanceHour[] = [];
  alarmAt: number | null = null;
  readonly hours = new Map<string, HourWrite>();
  /** How often the database got each write. */
  readonly attempts: string[] = [];
  readonly uses: LastUses[] = [];
  isProjectDeleted = false;
  isCleared = false;
  readonly faults: unknown[] = [];
  store: UsageStore;
  #ids = 0;

  constructor() {
    this.store = this.#newStore();
  }

  /** Simulates a restart: the object loses its memory and its unfinished work. */
  restart(): void {
    this.clock.dropTimers();
    this.store = this.#newStore();
  }

  add(...some: readonly UsageBatch[]): Promise<void> {
    return this.store.add(some.map((batch) => JSON.stringify(batch)));
  }

  /** Adds batches, and advances the clock until they are saved. */
  async saved(...some: readonly UsageBatch[]): Promise<void> {
    const adding = this.add(...some);
    this.clock.advance(SAVE_MS);
    await adding;
  }

  /** Advances the clock to the alarm, and lets it ring. */
  async ring(): Promise<void> {
    if (this.alarmAt === null) throw new Error("no alarm is set");
    this.clock.advance(Math.max(0, this.alarmAt - this.clock.now()));
    this.alarmAt = null;
    await this.store.onAlarm();
  }

  /** Lets the alarm ring until no hour is left to complete or to write. */
  async complete(): Promise<void> {
    for (;;) {
      const state = this.store.state();
      if (!state.hasUnconfirmedWrites && state.nextCompletion() === undefined) return;
      await this.ring();
    }
  }

  /** Returns the sums of the counts in the database and of the usage that the database lacks. */
  sums(state: UsageState, environmentIds: readonly number[] = [1, 2]): Sums {
    const sums: Sums = {};
    const add = (environmentId: number, hour: number, key: string, t: number) =>
      addTo(sums, `${environmentId}/${(hour - HOUR) / HOUR_MS}/${key}`, t);
    for (const { environmentId, hour, flags } of this.hours.values())
      for (const [key, t] of flags) add(environmentId, hour, key, t);
    for (const { writeId, environmentId, hour, usage } of state.unwritten({ environmentIds }))
      if (writeId === null || !this.hours.has(writeId))
        for (const [key, t] of usage) add(environmentId, hour, key, t);
    return sums;
  }

  #newStore(): UsageStore {
    // Keeps a store from before a restart from changing anything.
    const isCurrent = () => this.store === store;
    const step = <T>(name: Step, effect: () => T): T => {
      const failure = this.failureOf(name);
      if (failure === "before") throw new Error(`${name} failed`);
      const result = effect();
      if (failure === "after") throw new Error(`the response of ${name} was lost`);
      return result;
    };
    const later = async <T>(name: Step, effect: () => T): Promise<T> => {
      await Promise.resolve();
      if (!isCurrent()) return new Promise<never>(() => {});
      return step(name, effect);
    };
    const storage: UsageStorage = {
      rows: () => this.log,
      append: (rows) =>
        step("append", () => {
          this.log.push(...rows);
        }),
      replace: (rows, completed) =>
        step("replace", () => {
          this.log = [...rows];
          this.completed.push(...(JSON.parse(JSON.stringify(completed)) as InstanceHour[]));
        }),
      clear: async () => {
        this.log = [];
        this.alarmAt = null;
        this.isCleared = true;
      },
    };
    const store: UsageStore = new UsageStore(
      {
        now: this.clock.now,
        wait: this.clock.wait,
        newId: () => `write-${(this.#ids += 1)}`,
        storage,
        alarm: {
          get: async () => this.alarmAt,
          set: (at) =>
            later("alarm", () => {
              this.alarmAt = at;
            }),
        },
        database: {
          projectExists: () => later("projectExists", () => !this.isProjectDeleted),
          writeHour: (write) =>
            later("writeHour", () => {
              this.attempts.push(write.id);
              if (!this.hours.has(write.id)) this.hours.set(write.id, structuredClone(write));
            }),
          writeUses: (uses) =>
            later("writeUses", () => {
              this.uses.push(structuredClone(uses));
            }),
        },
        fault: (_, error) => {
          this.faults.push(error);
        },
      },
      SAVE_MS,
    );
    return store;
  }
}
