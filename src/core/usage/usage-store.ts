import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/time.ts";
import { type Entry, type HourWrite, type LastUses } from "./usage-entries.ts";
import { type InstanceHour, UsageState } from "./usage-state.ts";

/**
 * The maximum size of a stored row, characters, unless one entry is longer. SQLite-backed Durable
 * Objects allow 2 MB. A character takes up to 3 bytes.
 */
const MAX_ROW_LENGTH = 500_000;

/**
 * When the unsaved batches reach this many characters, the object stores them at once. Otherwise
 * they would take much of the 128 MB of an object with many SDK instances.
 */
const MAX_UNSAVED_LENGTH = 2_000_000;

/**
 * The log is compacted when it has grown by this many bytes since the last compaction, or by twice
 * the size of the state if that is more. Otherwise once an hour.
 */
const COMPACT_BYTES = 8_000_000;

/** The delay before a failed write to the database is tried again, milliseconds. */
export const RETRY_MS = MINUTE_MS;

/**
 * How long the object waits before it writes usage of a completed hour, so that one write contains more of
 * it, milliseconds. The usage queue delivers such usage after an outage, many batches in a row.
 */
export const LATE_MS = MINUTE_MS;

/** How often the object removes old entries when it has nothing else to do, milliseconds. */
export const CLEAN_MS = DAY_MS;

/** The storage of a usage object. Its functions throw the storage's errors. */
export interface UsageStorage {
  /** Returns the rows of the log, oldest first. Each is a JSON list of entries. */
  rows(): Iterable<string>;
  /** Appends rows, atomically. */
  append(rows: readonly string[]): void;
  /** Replaces the log, adds usage by instance, and deletes such usage that is too old; atomically. */
  replace(rows: Iterable<string>, completed: readonly InstanceHour[]): void;
  /** Deletes everything, the alarm included. */
  clear(): Promise<void>;
}

export interface UsageStorePorts {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly newId: () => string;
  readonly storage: UsageStorage;
  /** When the next alarm rings, epoch milliseconds. */
  readonly alarm: {
    readonly get: () => Promise<number | null>;
    readonly set: (at: number) => Promise<void>;
  };
  readonly database: {
    /** Whether the project of this object exists. */
    readonly projectExists: () => Promise<boolean>;
    /** Writes the usage of a completed hour, unless the database has the id of the write. */
    readonly writeHour: (write: HourWrite) => Promise<void>;
    readonly writeUses: (uses: LastUses) => Promise<void>;
  };
  /** Logs and counts a fault that no caller notices. */
  readonly fault: (what: string, error: unknown) => void;
}

/**
 * Adds usage batches up and stores them. The stored form is a log of entries: batches are appended,
 * and now and then the log is replaced by the entries of the whole state. Batches that arrive within
 * `saveMs` of a write to the log share the next write.
 */
export class UsageStore {
  readonly #ports: UsageStorePorts;
  readonly #saveMs: number;
  /** The state; undefined when only the storage has it. */
  #state: UsageState | undefined;
  /** Batches as JSON that are in `#state` and not in the storage. */
  #unsaved: string[] = [];
  #unsavedLength = 0;
  /** Resolves when all batches added so far are saved. Undefined when none is unsaved. */
  #saving: Promise<void> | undefined;
  #savedAt = 0;
  #logBytes = 0;
  #compactedBytes = 0;
  #compactedAt = 0;
  #alarmAt: number | null | undefined;
  #isWritingUses = false;

  /** @param saveMs the least time between two writes to the log, milliseconds */
  constructor(ports: UsageStorePorts, saveMs: number) {
    this.#ports = ports;
    this.#saveMs = saveMs;
  }

  /**
   * Adds batches (JSON of `UsageBatch`) that were not added before, and deleted flags (JSON of
   * `DeletedFlags`), and resolves once they are saved. Throws the errors of the storage; the batches can then be added again.
   */
  async add(batches: readonly string[]): Promise<void> {
    const parsed = batches.map((body) => [body, JSON.parse(body) as Entry] as const);
    const state = this.#loaded();
    this.#orDrop(() => {
      for (const [body, batch] of parsed) {
        if (!state.add(batch)) continue;
        this.#unsaved.push(body);
        this.#unsavedLength += body.length;
      }
    });
    const hasDeletions = parsed.some(([, { kind }]) => kind !== "batch");
    if (this.#unsavedLength > MAX_UNSAVED_LENGTH || hasDeletions) this.#save();
    if (this.#unsaved.length > 0) this.#saving ??= this.#saveSoon();
    await this.#saving;
    await this.#setAlarm(this.#nextAlarm());
  }

  /** Returns the state for a reader, loaded from the storage if it is not in memory. */
  state(): UsageState {
    return this.#loaded();
  }

  /**
   * Completes hours, writes to the database what it lacks, and removes what is too old. Each step can
   * be repeated after a failure. The first step needs no database, so an outage of the database does
   * not fill the memory.
   */
  async onAlarm(): Promise<void> {
    this.#alarmAt = null;
    const { now, database, fault } = this.#ports;
    try {
      this.#completeHours();
      if (!(await database.projectExists())) {
        this.#drop();
        await this.#ports.storage.clear();
        this.#alarmAt = undefined;
        return;
      }
      await this.#writeHours();
      await this.#writeUses();
    } catch (error) {
      fault("usage", error);
      await this.#setAlarm(now() + RETRY_MS);
      return;
    }
    await this.#setAlarm(this.#nextAlarm());
  }

  /** Turns the usage of hours that have ended into writes, and compacts the log. */
  #completeHours(): void {
    const now = this.#ports.now();
    const state = this.#loaded();
    const isDue = (state.nextCompletion() ?? Infinity) <= now;
    if (!isDue && now - this.#compactedAt < HOUR_MS) return;
    this.#compact(this.#orDrop(() => state.completeHours(now, this.#ports.newId)));
  }

  /**
   * Writes completed hours to the database. A write that fails does not stop the others. Throws the
   * first error.
   */
  async #writeHours(): Promise<void> {
    const { now, database } = this.#ports;
    const errors: unknown[] = [];
    for (const write of this.#loaded().unconfirmedWrites())
      try {
        await database.writeHour(write);
        const written = { kind: "written", id: write.id, at: now() } as const;
        this.#append([JSON.stringify(written)]);
        this.#loaded().add(written);
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }

  #loaded(): UsageState {
    if (this.#state) return this.#state;
    const state = new UsageState();
    this.#logBytes = 0;
    for (const row of this.#ports.storage.rows()) {
      this.#logBytes += row.length;
      for (const entry of JSON.parse(row) as Entry[]) state.add(entry);
    }
    this.#state = state;
    return state;
  }

  /** Throws: the storage's errors, and an error when the state was dropped before it was saved. */
  async #saveSoon(): Promise<void> {
    const { now, wait } = this.#ports;
    const state = this.#loaded();
    await wait(Math.max(0, this.#savedAt + this.#saveMs - now()));
    if (this.#state !== state) throw new Error("The usage was lost before it was stored");
    this.#saving = undefined;
    this.#save();
    void this.#afterSave();
  }

  /** Appends the unsaved batches to the log. Throws the errors of the storage. */
  #save(): void {
    if (this.#unsaved.length > 0) this.#append(this.#unsaved);
    this.#setSaved();
    this.#savedAt = this.#ports.now();
  }

  /**
   * Compacts the log and writes the last uses. Reports an error as a fault instead of throwing it,
   * because the senders' batches are stored by now.
   */
  async #afterSave(): Promise<void> {
    try {
      if (this.#logBytes > Math.max(COMPACT_BYTES, 2 * this.#compactedBytes)) this.#compact([]);
      await this.#writeUses();
    } catch (error) {
      this.#ports.fault("usage", error);
    }
  }

  #setSaved(): void {
    this.#unsaved = [];
    this.#unsavedLength = 0;
  }

  /**
   * Forgets the state in memory, because it may differ from the stored state. Adding the batches that
   * are not saved yet fails.
   */
  #drop(): void {
    this.#state = undefined;
    this.#saving = undefined;
    this.#setSaved();
  }

  /** Runs `work`. If `work` throws, drops the state, because only a part of the change may be in it. */
  #orDrop<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  #append(entries: readonly string[]): void {
    const rows = [...rowsOf(entries)];
    this.#orDrop(() => this.#ports.storage.append(rows));
    for (const row of rows) this.#logBytes += row.length;
  }

  /** Replaces the log by the entries of the state. Throws the errors of the storage. */
  #compact(completed: readonly InstanceHour[]): void {
    const state = this.#loaded();
    state.forgetOld(this.#ports.now());
    let bytes = 0;
    // Makes the rows one at a time, because the text of a large state would not fit into memory.
    const rows = function* () {
      for (const row of rowsOf(jsonOf(state.entries()))) {
        bytes += row.length;
        yield row;
      }
    };
    this.#orDrop(() => this.#ports.storage.replace(rows(), completed));
    this.#setSaved();
    this.#logBytes = bytes;
    this.#compactedBytes = bytes;
    this.#compactedAt = this.#ports.now();
  }

  /** Writes the last uses that are due. One write at a time. Throws the errors of the database. */
  async #writeUses(): Promise<void> {
    const state = this.#loaded();
    const uses = state.lastUses();
    if (this.#isWritingUses || uses.flags.length + uses.keys.length === 0) return;
    this.#isWritingUses = true;
    try {
      await this.#ports.database.writeUses(uses);
      state.markUsesWritten(uses);
    } finally {
      this.#isWritingUses = false;
    }
  }

  /** Returns when the state needs the next alarm, epoch milliseconds. */
  #nextAlarm(): number {
    const now = this.#ports.now();
    const state = this.#loaded();
    if (state.hasUnconfirmedWrites) return now + RETRY_MS;
    return Math.max(now + LATE_MS, Math.min(state.nextCompletion() ?? Infinity, now + CLEAN_MS));
  }

  /** Sets the alarm for a time, unless it already rings earlier. */
  async #setAlarm(at: number): Promise<void> {
    const { alarm } = this.#ports;
    if (this.#alarmAt === undefined) this.#alarmAt = await alarm.get();
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    await alarm.set(at);
    this.#alarmAt = at;
  }
}

function* jsonOf(entries: Iterable<Entry>): Generator<string> {
  for (const entry of entries) yield JSON.stringify(entry);
}

/** Packs entries, as JSON, into rows. */
function* rowsOf(entries: Iterable<string>): Generator<string> {
  let some: string[] = [];
  let length = 0;
  for (const entry of entries) {
    if (some.length > 0 && length + entry.length > MAX_ROW_LENGTH) {
      yield `[${some.join()}]`;
      [some, length] = [[], 0];
    }
    some.push(entry);
    length += entry.length;
  }
  if (some.length > 0) yield `[${some.join()}]`;
}
