import { LRUCache } from "lru-cache";
import { FlushTimer } from "../core/lib/flush-timer.ts";
import { type InstanceMark, MIN_MARK_INTERVAL_MS } from "../core/usage/message-types.ts";
import { lastSeenMessages } from "../core/usage/split-messages.ts";
import type { ClientPorts } from "./ports.ts";

/**
 * How long marks are gathered. An operator watches a kill switch arrive, so no longer than a person
 * waits; what a request leaves to do may take 30 s.
 */
export const FLUSH_MS = 2_000;

/** Some 100 bytes each for keys, up to 1 KB for instances. */
export const MAX_MARKS = 10_000;

/** A sighting without when it was, and with which revision. */
export type Instance = Omit<InstanceMark, "at" | "revision">;

interface Told {
  readonly at: number;
  /** -1 without any. */
  readonly revision: number;
}

/**
 * Which API keys and SDK instances one isolate has seen. The roll-up hears of each at most once a
 * minute, and of an instance at once when it has a newer revision. Plain data: any request flushes
 * what all have left.
 */
export class Sightings {
  readonly #keysTold = new LRUCache<number, number>({ max: MAX_MARKS });
  readonly #instancesTold = new LRUCache<string, Told>({ max: MAX_MARKS });
  #keys = new Map<number, number>();
  #instances = new Map<string, InstanceMark>();
  readonly #timer = new FlushTimer();

  /** The key was used, now. */
  key(ports: ClientPorts, id: number): void {
    const now = ports.now();
    const told = this.#keysTold.get(id);
    if (told !== undefined && now - told < MIN_MARK_INTERVAL_MS) return;
    if (this.#keys.size >= MAX_MARKS) return;
    this.#keysTold.set(id, now);
    this.#keys.set(id, now);
    this.#flushSoon(ports);
  }

  /** The instance was seen, now, and holds that revision of the rules; null: it did not say. */
  instance(ports: ClientPorts, instance: Instance, revision: number | null): void {
    const now = ports.now();
    const { environmentId, appName, instanceId } = instance;
    // Nothing that a name may hold could separate them.
    const name = `${environmentId} ${appName.length} ${appName}${instanceId}`;
    const told = this.#instancesTold.get(name);
    const newest = Math.max(revision ?? -1, told?.revision ?? -1);
    if (told && now - told.at < MIN_MARK_INTERVAL_MS && newest === told.revision) return;
    if (this.#instances.size >= MAX_MARKS) return;
    this.#instancesTold.set(name, { at: now, revision: newest });
    // What it said a moment ago, and does not repeat, still holds.
    const sdkVersion = instance.sdkVersion ?? this.#instances.get(name)?.sdkVersion ?? null;
    this.#instances.set(name, { ...instance, sdkVersion, revision, at: now });
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
      // Told again with their next use, not a minute later.
      for (const id of keys.keys()) this.#keysTold.delete(id);
      for (const name of instances.keys()) this.#instancesTold.delete(name);
    }
  }
}
