import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import { FlushTimer } from "../../core/lib/flush-timer.ts";
import { HOUR_MS } from "../../core/lib/time.ts";
import { addUsage, type FlagCounts, usageList } from "../../core/usage/flag-counts.ts";
import type { InstanceMark } from "../../core/usage/message-types.ts";
import type { ReportedUsage, UndeliveredBatch, UsageBatch } from "../../core/usage/usage-batch.ts";
import type { ClientPorts } from "../sources/ports.ts";
import { type KeyRow, UNKNOWN_PROJECT } from "../sources/queries.ts";

/**
 * The maximum size of a batch, bytes of JSON. Cloudflare Queues limits a message to 128 KB,
 * including its metadata, and a batch travels as a text in a message.
 */
export const MAX_BATCH_BYTES = 60_000;

/** The most counts and marks that an isolate collects before it sends them at once. They take about 2 MB. */
export const MAX_PENDING = 20_000;

/**
 * The most characters of JSON that an isolate keeps of batches that it cannot deliver. Above this,
 * the isolate refuses usage reports.
 */
export const MAX_UNDELIVERED_LENGTH = 8_000_000;

/**
 * How long an attempt to deliver a batch may run before it counts as lost, milliseconds. The platform ends
 * the work after a response after 30 s, and then nothing tells the isolate how the attempt ended.
 */
export const LOST_AFTER_MS = 30_000;

type Caller = Pick<KeyRow, "projectId" | "environmentId">;

interface PendingReport extends Omit<ReportedUsage, "at" | "evaluations"> {
  at: number;
  readonly flags: FlagCounts;
}

/** A batch that neither the object nor the queue has accepted yet. */
interface Undelivered {
  readonly batch: UndeliveredBatch;
  /** Until when a flush is delivering the batch, epoch milliseconds; 0: no flush is delivering it. */
  busyUntil: number;
}

/** What the isolate will send to one usage object. */
interface Pending {
  readonly projectId: number;
  readonly reports: Map<string, PendingReport>;
  readonly keys: Map<number, number>;
  readonly instances: InstanceMark[];
}

/**
 * The usage and the last-seen marks that an isolate has collected for a few seconds. They are sent
 * to the usage object of the project, or to the usage queue when the object cannot be reached. They
 * are plain data, because one request may send the usage of other requests.
 */
export class UsageBuffer {
  #pending = new Map<string, Pending>();
  /** How many counts and marks are in `#pending`. */
  #size = 0;
  /** The undelivered batches. A flush sends only those that no other flush is sending. */
  readonly #undelivered = new Set<Undelivered>();
  /** The size of `#undelivered`, characters. */
  #undeliveredLength = 0;
  /**
   * The id of this isolate, created at the first request, because Workers have no randomness
   * outside of a request.
   */
  #sender: string | undefined;
  readonly #sequences = new Map<string, number>();
  readonly #timer = new FlushTimer();

  /**
   * Adds a usage report. Reports of an instance within the same hour are added up. Returns false, and
   * adds nothing, while too many batches are undelivered, and while the project is unknown.
   */
  addReport(ports: ClientPorts, caller: Caller, report: ReportedUsage): boolean {
    if (this.#isFull) {
      this.#grow(ports, 0);
      return false;
    }
    if (caller.projectId === UNKNOWN_PROJECT) return false;
    const { environmentId, at, appName, instanceId, evaluations } = report;
    const { reports } = this.#of(ports, caller);
    const hour = at - (at % HOUR_MS);
    const name = `${environmentId} ${hour} ${appName.length} ${appName}${instanceId}`;
    let found = reports.get(name);
    if (!found) {
      found = { environmentId, at, appName, instanceId, flags: new Map() };
      reports.set(name, found);
    }
    found.at = Math.max(found.at, at);
    this.#grow(ports, addUsage(found.flags, evaluations));
    return true;
  }

  /** Adds the last-seen mark of an API key. `at`: epoch milliseconds. */
  addKey(ports: ClientPorts, key: Caller & Pick<KeyRow, "id">, at: number): void {
    this.#of(ports, key).keys.set(key.id, at);
    this.#grow(ports, 1);
  }

  /** Adds the last-seen mark of an SDK instance, under the same conditions. */
  addInstance(ports: ClientPorts, caller: Caller, mark: InstanceMark): void {
    if (this.#isFull || caller.projectId === UNKNOWN_PROJECT) return;
    this.#of(ports, caller).instances.push(mark);
    this.#grow(ports, 1);
  }

  get #isFull(): boolean {
    return this.#undeliveredLength > MAX_UNDELIVERED_LENGTH;
  }

  #of({ usage }: ClientPorts, { projectId, environmentId }: Caller): Pending {
    const object = usage.objectOf(projectId, environmentId);
    let pending = this.#pending.get(object);
    if (!pending) {
      pending = { projectId, reports: new Map(), keys: new Map(), instances: [] };
      this.#pending.set(object, pending);
    }
    return pending;
  }

  #grow(ports: ClientPorts, by: number): void {
    this.#size += by;
    if (this.#size >= MAX_PENDING) ports.later(this.#flush(ports));
    else this.#timer.set(ports, ports.usage.flushMs, () => this.#flush(ports));
  }

  async #flush(ports: ClientPorts): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    this.#size = 0;
    for (const [object, one] of pending)
      for (const batch of this.#batchesOf(object, one)) {
        this.#undelivered.add({ batch, busyUntil: 0 });
        this.#undeliveredLength += batch.body.length;
      }
    const now = ports.now();
    const idle = [...this.#undelivered].filter(({ busyUntil }) => busyUntil <= now);
    for (const one of idle) one.busyUntil = now + LOST_AFTER_MS;
    const byObject = Map.groupBy(idle, ({ batch }) => batch.object);
    await Promise.all([...byObject].map(([object, some]) => this.#send(ports, object, some)));
  }

  async #send(
    ports: ClientPorts,
    object: string,
    undelivered: readonly Undelivered[],
  ): Promise<void> {
    const { usage } = ports;
    const batches = undelivered.map(({ batch }) => batch);
    try {
      await usage.add(
        object,
        batches.map(({ body }) => body),
      );
    } catch (error) {
      ports.fault("usage", error);
      try {
        // Sends the batches to the queue even though the object may have them already. The object
        // counts a batch only once.
        await usage.enqueue(batches);
      } catch (queueError) {
        ports.fault("usage", queueError);
        for (const one of undelivered) one.busyUntil = 0;
        return;
      }
    }
    for (const one of undelivered)
      if (this.#undelivered.delete(one)) this.#undeliveredLength -= one.batch.body.length;
  }

  /** Turns usage into numbered batches. */
  #batchesOf(object: string, pending: Pending): UndeliveredBatch[] {
    this.#sender ??= crypto.randomUUID();
    const sender = this.#sender;
    return contentsOf(pending).map((content) => {
      const sequence = (this.#sequences.get(object) ?? 0) + 1;
      this.#sequences.set(object, sequence);
      const { projectId } = pending;
      const batch: UsageBatch = { kind: "batch", projectId, sender, sequence, ...content };
      return { kind: "batch", object, body: JSON.stringify(batch) };
    });
  }
}

/** The three lists of a batch. */
interface BatchContent {
  readonly reports: ReportedUsage[];
  readonly keys: (readonly [id: number, at: number])[];
  readonly instances: InstanceMark[];
}

/** Returns the contents of as few batches of at most about `MAX_BATCH_BYTES` as possible. */
function contentsOf(pending: Pending): BatchContent[] {
  const contents: BatchContent[] = [];
  let room = 0;
  const contentFor = (item: object): BatchContent => {
    const size = jsonBytes(item) + 1;
    let content = contents.at(-1);
    if (!content || size > room) {
      content = { reports: [], keys: [], instances: [] };
      contents.push(content);
      room = MAX_BATCH_BYTES;
    }
    room -= size;
    return content;
  };
  for (const report of pending.reports.values())
    for (const part of splitReport(report)) contentFor(part).reports.push(part);
  for (const key of pending.keys) contentFor(key).keys.push(key);
  for (const mark of pending.instances) contentFor(mark).instances.push(mark);
  return contents;
}

/** Returns the usage of a report as reports of at most about half of `MAX_BATCH_BYTES`. */
const splitReport = ({ flags, environmentId, at, appName, instanceId }: PendingReport) =>
  chunked(usageList(flags), (usage) => jsonBytes(usage) + 1, { size: MAX_BATCH_BYTES / 2 }).map(
    (evaluations): ReportedUsage => ({ environmentId, at, appName, instanceId, evaluations }),
  );
