import { Lru } from "../../core/lib/lru.ts";
import { type InstanceMark, MIN_MARK_INTERVAL_MS } from "../../core/usage/message-types.ts";
import type { Instance } from "./instance.ts";
import type { ClientPorts } from "../sources/ports.ts";
import type { KeyRow } from "../sources/queries.ts";
import type { UsageBuffer } from "./usage-buffer.ts";

/**
 * The most API keys, and the most SDK instances, whose last-seen marks an isolate keeps. A mark of
 * a key takes 100 bytes, a mark of an instance up to 1 KB.
 */
export const MAX_MARKS = 10_000;

/** What a request says about the SDK instance that sent it. */
interface Sighting {
  readonly key: KeyRow;
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
  /** What later requests said about the instance. The next mark sends it. */
  unsent: Partial<Pick<InstanceMark, "sdkVersion" | "sdkFeatures" | "rulesFetchedAt">>;
}

/**
 * Decides which last-seen marks of API keys and SDK instances the isolate sends. A key or an
 * instance gets at most one mark a minute, but a newer revision of an instance gets a mark at once.
 */
export class LastSeen {
  readonly #buffer: UsageBuffer;
  readonly #keysSent = new Lru<number, number>(MAX_MARKS);
  readonly #instancesSent = new Lru<string, Sent>(MAX_MARKS);

  constructor(buffer: UsageBuffer) {
    this.#buffer = buffer;
  }

  /** Marks the API key as used now. */
  key(ports: ClientPorts, key: KeyRow): void {
    const now = ports.now();
    const sentAt = this.#keysSent.get(key.id);
    if (sentAt !== undefined && now - sentAt < MIN_MARK_INTERVAL_MS) return;
    this.#keysSent.set(key.id, now);
    this.#buffer.addKey(ports, key, now);
  }

  /**
   * Marks the SDK instance as seen now. When the last mark is less than a minute old, the next mark
   * sends the instance's features, when it fetched rules, and the version of its SDK, which older SDKs
   * of Unleash name only when they register.
   */
  instance(
    ports: ClientPorts,
    instance: Instance,
    { key, revision, fetchesRules }: Sighting,
  ): void {
    const now = ports.now();
    const { environmentId, appName, instanceId } = instance;
    // The length of `appName` keeps the map key unambiguous, because application names and instance
    // ids may contain any character.
    const name = `${environmentId} ${appName.length} ${appName}${instanceId}`;
    const sent = this.#instancesSent.get(name);
    const newest = Math.max(revision ?? -1, sent?.revision ?? -1);
    // Treats an SDK that fetches rules without naming features as one without features.
    const said = fetchesRules
      ? { sdkFeatures: instance.sdkFeatures ?? [], rulesFetchedAt: now }
      : { ...sent?.unsent, ...(instance.sdkFeatures && { sdkFeatures: instance.sdkFeatures }) };
    const unsent = { ...said, sdkVersion: instance.sdkVersion ?? sent?.unsent.sdkVersion ?? null };
    if (sent && now - sent.at < MIN_MARK_INTERVAL_MS && newest === sent.revision) {
      sent.unsent = unsent;
      return;
    }
    this.#instancesSent.set(name, { at: now, revision: newest, unsent: {} });
    this.#buffer.addInstance(ports, key, { ...instance, ...unsent, revision, at: now });
  }
}
