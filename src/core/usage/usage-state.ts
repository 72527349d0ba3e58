import { HOUR_MS, MINUTE_MS } from "../lib/time.ts";
import { AppNames } from "./app-names.ts";
import { DueMarks } from "./due-marks.ts";
import { addUsage, usageList } from "./flag-counts.ts";
import type { FlagUsage } from "./message-types.ts";
import { nameOf, Presence } from "./presence.ts";
import { REMEMBER_SENDER_MS, Senders } from "./senders.ts";
import type { ReportedUsage, UsageBatch } from "./usage-batch.ts";
import {
  type Entry,
  type HourEntry,
  type HourWrite,
  type InstanceUsage,
  type LastUses,
  parts,
  writeEntries,
} from "./usage-entries.ts";
import {
  addApp,
  addFlags,
  appList,
  type Hour,
  hourEntries,
  instanceLists,
  knownUsage,
  removeFlag,
  usageOfFlag,
} from "./usage-hour.ts";

/**
 * How long after its end an hour is completed, milliseconds. Isolates send usage within 20 s. Usage
 * that arrives later, because it waited in the queue, is written separately.
 */
export const COMPLETE_AFTER_MS = MINUTE_MS;

/**
 * How long a usage object keeps an hour in memory after the hour was written to the database,
 * milliseconds. A reader at a replica that lacks the write still finds the usage here.
 */
export const KEEP_WRITTEN_MS = 10 * MINUTE_MS;

/**
 * The most counts of flags and variants by SDK instance that a usage object keeps for the hours that
 * are not complete. A count takes about 100 bytes of the 128 MB of an object. Usage beyond the limit
 * is counted for its flag and application only.
 */
export const MAX_INSTANCE_COUNTS = 300_000;

/** Usage by SDK instance of a completed hour. Several of these may belong to one hour. */
export interface InstanceHour {
  readonly environmentId: number;
  readonly hour: number;
  /** The usage of each SDK instance, sorted by instance id. */
  readonly instances: readonly InstanceUsage[];
}

/** Usage that the database may lack, for one environment and hour. */
export interface UnwrittenHour {
  /**
   * The id of the write that adds the usage to the database, or will add it. If the database has the
   * id, it has the usage. Null when the reader asked for no id and no write has begun.
   */
  readonly writeId: string | null;
  readonly environmentId: number;
  readonly hour: number;
  readonly usage: readonly FlagUsage[];
}

export interface UnwrittenFilter {
  readonly environmentIds: readonly number[];
  /** Restricts the result to the usage of this flag. */
  readonly flagKey?: string | undefined;
  /** Restricts the result to the usage of this application. */
  readonly appName?: string | undefined;
}

/** Selects the usage that `UsageState.instanceUsage` returns. */
export interface InstanceUsageFilter {
  readonly environmentIds: readonly number[];
  readonly flagKey: string;
  readonly instanceId: string;
  readonly appName?: string | undefined;
  /** The first and the last hour; epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

export interface FlagHour {
  readonly hour: number;
  readonly usage: FlagUsage;
}

interface StoredWrite {
  readonly write: HourWrite;
  readonly writtenAt: number | undefined;
}

/** What a usage object keeps in memory: usage that the database does not have yet, and the SDK instances. */
export class UsageState {
  readonly #senders = new Senders();
  readonly #apps = new AppNames();
  readonly presence = new Presence();
  readonly #hours = new Map<string, Hour>();
  readonly #writes = new Map<string, StoredWrite>();
  readonly #flags = new DueMarks<string>();
  readonly #keys = new DueMarks<number>();
  /** When flags were deleted, by key, epoch milliseconds. */
  readonly #deleted = new Map<string, number>();

  /** Adds an entry. Returns false, and changes nothing, for a batch that was added before. */
  add(entry: Entry): boolean {
    switch (entry.kind) {
      case "batch":
        return this.#addBatch(entry);
      case "hour":
        this.#addHour(entry);
        break;
      case "write":
        this.#addWrite(entry);
        break;
      case "written":
        this.markWritten(entry);
        break;
      case "deleted":
        for (const [key, at] of entry.flags) this.#forgetFlag(key, at);
        break;
      case "used":
        this.#flags.addAll(entry.flags);
        this.#keys.addAll(entry.keys);
        break;
      case "instances":
        for (const instance of entry.list) this.presence.add(instance);
        break;
      case "apps":
        this.#apps.addAll(entry.list);
        break;
      case "senders":
        this.#senders.addAll(entry.list);
        break;
    }
    return true;
  }

  *entries(): Generator<Entry> {
    for (const list of parts(this.#senders.entries())) yield { kind: "senders", list };
    for (const list of parts(this.#apps.entries())) yield { kind: "apps", list };
    for (const flags of parts([...this.#deleted])) yield { kind: "deleted", flags };
    const uses = this.lastUses();
    for (const flags of parts(uses.flags)) yield { kind: "used", flags, keys: [] };
    for (const keys of parts(uses.keys)) yield { kind: "used", flags: [], keys };
    for (const list of parts(this.presence.all())) yield { kind: "instances", list };
    for (const { write, writtenAt } of this.#writes.values()) {
      yield* writeEntries(write);
      if (writtenAt !== undefined) yield { kind: "written", id: write.id, at: writtenAt };
    }
    for (const hour of this.#hours.values()) yield* hourEntries(hour);
  }

  /**
   * Forgets old batches, application names, SDK instances, deletions of flags, and hours that the
   * database has had for `KEEP_WRITTEN_MS`.
   */
  forgetOld(now: number): void {
    this.#senders.forgetOld(now);
    this.#apps.forgetOld(now);
    this.presence.forgetOld(now);
    // After this time no batch of the queue arrives that was made before the deletion.
    for (const [key, at] of this.#deleted)
      if (at < now - REMEMBER_SENDER_MS) this.#deleted.delete(key);
    for (const [id, { writtenAt }] of this.#writes)
      if (writtenAt !== undefined && writtenAt < now - KEEP_WRITTEN_MS) this.#writes.delete(id);
  }

  /**
   * Turns the usage of the hours that have ended into writes. Returns the usage by SDK instance of
   * these hours, and removes it from the state.
   */
  completeHours(now: number, newId: () => string): InstanceHour[] {
    const completed: InstanceHour[] = [];
    for (const [name, hour] of this.#hours) {
      if (now < completeAt(hour)) continue;
      const { environmentId, hour: start, flags, apps, instances } = hour;
      this.#hours.delete(name);
      const write = { environmentId, hour: start, flags: usageList(flags), apps: appList(apps) };
      this.#addWrite({ kind: "write", id: hour.writeId ?? newId(), ...write });
      for (const list of instanceLists(instances))
        completed.push({ environmentId, hour: start, instances: list });
    }
    return completed;
  }

  /** Returns when `completeHours` next has work, epoch milliseconds; undefined: never. */
  nextCompletion(): number | undefined {
    const ends = Array.from(this.#hours.values(), completeAt);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /** Whether there are writes that the database has not confirmed. */
  get hasUnconfirmedWrites(): boolean {
    for (const { writtenAt } of this.#writes.values()) if (writtenAt === undefined) return true;
    return false;
  }

  unconfirmedWrites(): HourWrite[] {
    return [...this.#writes.values()].flatMap(({ write, writtenAt }) =>
      writtenAt === undefined ? [write] : [],
    );
  }

  /** Records that the database has a write. `at`: now, epoch milliseconds. */
  markWritten({ id, at }: { readonly id: string; readonly at: number }): void {
    const stored = this.#writes.get(id);
    if (stored) this.#writes.set(id, { ...stored, writtenAt: at });
  }

  /** Returns the last uses of flags and API keys that the database should have. */
  lastUses(): LastUses {
    return { flags: this.#flags.due(), keys: this.#keys.due() };
  }

  /** Records that the database has these last uses. */
  markUsesWritten({ flags, keys }: LastUses): void {
    this.#flags.confirm(flags);
    this.#keys.confirm(keys);
  }

  /**
   * Returns the usage that the database may lack. `newId` returns the id of the write of an hour that
   * is not complete, so that a reader of the database recognises the write if it begins meanwhile.
   */
  unwritten(
    { environmentIds, flagKey, appName }: UnwrittenFilter,
    newId?: () => string,
  ): UnwrittenHour[] {
    const wanted = new Set(environmentIds);
    const found: UnwrittenHour[] = [];
    const add = (
      writeId: string | null,
      { environmentId, hour }: Pick<Hour, "environmentId" | "hour">,
      all: readonly FlagUsage[],
    ) => {
      const usage = flagKey === undefined ? all : all.filter(([key]) => key === flagKey);
      if (usage.length > 0) found.push({ writeId, environmentId, hour, usage });
    };
    for (const hour of this.#hours.values()) {
      if (!wanted.has(hour.environmentId)) continue;
      const counts = appName === undefined ? hour.flags : hour.apps.get(appName);
      if (!counts) continue;
      if (newId) hour.writeId ??= newId();
      const usage = flagKey === undefined ? usageList(counts) : usageOfFlag(counts, flagKey);
      add(hour.writeId, hour, usage);
    }
    for (const { write } of this.#writes.values()) {
      if (!wanted.has(write.environmentId)) continue;
      const apps = write.apps.filter(([name]) => name === appName);
      add(
        write.id,
        write,
        appName === undefined ? write.flags : apps.flatMap(([, usage]) => usage),
      );
    }
    return found;
  }

  /** Returns the usage of a flag by an SDK instance, in hours that are not complete. */
  instanceUsage({ environmentIds, ...filter }: InstanceUsageFilter): FlagHour[] {
    const wanted = new Set(environmentIds);
    const found: FlagHour[] = [];
    for (const { environmentId, hour, instances } of this.#hours.values()) {
      if (!wanted.has(environmentId) || hour < filter.from || hour > filter.to) continue;
      for (const { appName, instanceId, flags } of instances.values()) {
        if (instanceId !== filter.instanceId) continue;
        if (filter.appName !== undefined && appName !== filter.appName) continue;
        for (const usage of usageOfFlag(flags, filter.flagKey)) found.push({ hour, usage });
      }
    }
    return found;
  }

  #addBatch({ sender, sequence, reports, keys, instances }: UsageBatch): boolean {
    const latest = [
      ...reports.map(({ at }) => at),
      ...keys.map(([, at]) => at),
      ...instances.map(({ at }) => at),
    ].reduce((one, other) => Math.max(one, other), 0);
    if (!this.#senders.admit(sender, sequence, latest)) return false;
    for (const report of reports) this.#addReport(report);
    this.#keys.addAll(keys);
    for (const mark of instances) this.presence.mark(mark);
    return true;
  }

  #addReport({ environmentId, at, appName, instanceId, evaluations: all }: ReportedUsage): void {
    const evaluations = all.filter(([key]) => at > (this.#deleted.get(key) ?? -1));
    if (evaluations.length === 0) return;
    const hour = this.#hour(environmentId, at - (at % HOUR_MS));
    addFlags(hour, evaluations);
    for (const [key] of evaluations) this.#flags.add(key, at);
    if (appName !== "")
      addApp(hour, this.#apps.resolve(environmentId, appName, instanceId === "", at), evaluations);
    if (instanceId !== "") this.#addInstance(hour, [appName, instanceId, evaluations]);
  }

  /**
   * Removes the usage of a deleted flag, so that it does not count for a flag that gets the same key.
   * Hours that are complete need no change: they lie before the creation of that flag.
   */
  #forgetFlag(key: string, at: number): void {
    // The queue can deliver a deletion twice. By then, the key may have usage of the next flag.
    if ((this.#deleted.get(key) ?? -1) >= at) return;
    this.#deleted.set(key, at);
    this.#flags.delete(key);
    for (const hour of this.#hours.values()) removeFlag(hour, key);
  }

  #addHour({ environmentId, hour: start, flags, apps, instances }: HourEntry): void {
    const hour = this.#hour(environmentId, start);
    addFlags(hour, flags);
    for (const [name, usage] of apps) addApp(hour, name, usage);
    for (const instance of instances) this.#addInstance(hour, instance);
  }

  #addInstance(hour: Hour, [appName, instanceId, usage]: InstanceUsage): void {
    const name = nameOf({ appName, instanceId });
    const known = hour.instances.get(name);
    if (this.#instanceCounts() >= MAX_INSTANCE_COUNTS) {
      if (known) addUsage(known.flags, knownUsage(known.flags, usage), false);
      return;
    }
    const instance = known ?? { appName, instanceId, flags: new Map() };
    if (!known) hour.instances.set(name, instance);
    hour.instanceCounts += addUsage(instance.flags, usage);
  }

  /** Adds a write, or a further part of a write. */
  #addWrite(write: HourWrite): void {
    const before = this.#writes.get(write.id)?.write;
    const apps = new Map(before?.apps);
    for (const [name, usage] of write.apps) apps.set(name, [...(apps.get(name) ?? []), ...usage]);
    const flags = [...(before?.flags ?? []), ...write.flags];
    this.#writes.set(write.id, {
      write: { ...write, flags, apps: [...apps] },
      writtenAt: undefined,
    });
  }

  #instanceCounts(): number {
    let sum = 0;
    for (const { instanceCounts } of this.#hours.values()) sum += instanceCounts;
    return sum;
  }

  #hour(environmentId: number, start: number): Hour {
    const name = `${environmentId} ${start}`;
    let hour = this.#hours.get(name);
    if (!hour) {
      hour = {
        writeId: null,
        environmentId,
        hour: start,
        flags: new Map(),
        apps: new Map(),
        flagCounts: 0,
        appCounts: 0,
        instances: new Map(),
        instanceCounts: 0,
      };
      this.#hours.set(name, hour);
    }
    return hour;
  }
}

const completeAt = ({ hour }: Pick<Hour, "hour">) => hour + HOUR_MS + COMPLETE_AFTER_MS;
