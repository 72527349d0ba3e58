import { LRUCache } from "lru-cache";
import { FlushTimer } from "../core/lib/flush-timer.ts";
import { lastSeenMessages } from "../core/usage/split-messages.ts";
import { type InstanceMark, MIN_MARK_INTERVAL_MS } from "../core/usage/message-types.ts";
import type { Instance } from "./instance.ts";
import type { ClientPorts } from "./ports.ts";

/**
 * How long last-seen marks are collected before they are sent to the usage queue, milliseconds. The
 * time is short, because operators watch in the dashboard how a change reaches the SDK instances.
 */
export const FLUSH_MS = 2_000;

/**
 * The most API keys, and the most SDK instances, whose last-seen marks an isolate keeps. A mark of
 * a key takes 100 bytes, a mark of an instance up to 1 KB.
 */
export const MAX_MARKS = 10_000;

/** What a request says about the SDK instance that sent it. */
interface Sighting {
  /** The revision of the instance's rules; null when it is unknown. */
  readonly revision: number | null;
  /** Whether the request fetched the rules, so that the instance evaluates flags itself. */
  readonly fetchesRules: boolean;
}

/** The newest last-seen mark that the isolate recorded for an SDK instance. */
interface Sent {
  /** When the instance was seen, epoch milliseconds. */
  readonly at: number;
  /** The newest revision of the instance; -1: unknown. */
  readonly revision: number;
  /** What requests after the mark said. The next mark sends it. */
  unsent: Pick<InstanceMark, "sdkFeatures" | "rulesFetchedAt">;
}

/**
 * The last-seen marks of API keys and SDK instances in one isolate. A key or an instance gets at
 * most one mark a minute, but a newer revision of an instance gets a mark at once. Marks are sent
 * after `FLUSH_MS`. They are plain data, because one request may send the marks of other requests.
 */
export class LastSeen {
  readonly #keysSent = new LRUCache<number, number>({ max: MAX_MARKS });
  readonly #instancesSent = new LRUCache<string, Sent>({ max: MAX_MARKS });
  #keys = new Map<number, number>();
  #instances = new Map<string, InstanceMark>();
  readonly #timer = new FlushTimer();

  /** Marks the API key as used now. */
  key(ports: ClientPorts, id: number): void {
    const now = ports.now();
    const sentAt = this.#keysSent.get(id);
    if (sentAt !== undefined && now - sentAt < MIN_MARK_INTERVAL_MS) return;
    if (this.#keys.size >= MAX_MARKS) return;
    this.#keysSent.set(id, now);
    this.#keys.set(id, now);
    this.#flushSoon(ports);
  }

  /**
   * Marks the SDK instance as seen now. When the last mark is less than a minute old, the next mark
   * sends the instance's features, and when it fetched rules.
   */
  instance(ports: ClientPorts, instance: Instance, { revision, fetchesRules }: Sighting): void {
    const now = ports.now();
    const { environmentId, appName, instanceId } = instance;
    // The length of `appName` keeps the map key unambiguous, because application names and instance
    // ids may contain any character.
    const name = `${environmentId} ${appName.length} ${appName}${instanceId}`;
    const sent = this.#instancesSent.get(name);
    const newest = Math.max(revision ?? -1, sent?.revision ?? -1);
    // An SDK that fetches rules without naming features has none.
    const unsent = fetchesRules
      ? { sdkFeatures: instance.sdkFeatures ?? [], rulesFetchedAt: now }
      : { ...sent?.unsent, ...(instance.sdkFeatures && { sdkFeatures: instance.sdkFeatures }) };
    if (sent && now - sent.at < MIN_MARK_INTERVAL_MS && newest === sent.revision) {
      sent.unsent = unsent;
      return;
    }
    if (this.#instances.size >= MAX_MARKS) return;
    this.#instancesSent.set(name, { at: now, revision: newest, unsent: {} });
    // If the new mark has no SDK version, the instance keeps the version of its unsent mark.
    const sdkVersion = instance.sdkVersion ?? this.#instances.get(name)?.sdkVersion ?? null;
    this.#instances.set(name, { ...instance, ...unsent, sdkVersion, revision, at: now });
    this.#flushSoon(ports);
  }

  #flushSoon(ports: ClientPorts): void {
    this.#timer.set(ports, FLUSH_MS, () => this.#flush(ports));
  }

  async #flush(ports: ClientPorts): Promise<void> {
    const keys = this.#keys;
    const instances = this.#instances;
    this.#keys = new Map();
    this.#instances = new Map();
    if (keys.size + instances.size === 0) return;
    try {
      await ports.sendUsage(lastSeenMessages([...keys], [...instances.values()]));
    } catch (error) {
      ports.fault("sightings", error);
      // Sending failed, so the next use of a key or an instance records a new mark without waiting
      // for a minute.
      for (const id of keys.keys()) this.#keysSent.delete(id);
      for (const name of instances.keys()) this.#instancesSent.delete(name);
    }
  }
}
