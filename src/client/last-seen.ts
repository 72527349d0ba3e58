import { LRUCache } from "lru-cache";
import { FlushTimer } from "../core/lib/flush-timer.ts";
import { lastSeenMessages } from "../core/usage/split-messages.ts";
import { type InstanceMark, MIN_MARK_INTERVAL_MS, MAX_NAME } from "../core/usage/message-types.ts";
import type { ClientPorts } from "./ports.ts";
import type { KeyRow } from "./queries.ts";

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

/** An SDK instance as a last-seen mark identifies it, without time and revision. */
export type Instance = Omit<InstanceMark, "at" | "revision">;

/** The last-seen mark of an SDK instance that was sent last. */
interface Sent {
  /** When the instance was seen, epoch milliseconds. */
  readonly at: number;
  /** The newest revision of the instance; -1: unknown. */
  readonly revision: number;
}

/**
 * The last-seen marks of API keys and SDK instances in one isolate. It records a mark at most once
 * a minute, and also when an instance has a newer revision, and sends it within `FLUSH_MS`. The
 * marks are plain data, because any request may send the marks that other requests left.
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
   * Marks the SDK instance as seen now. `revision` is the revision of the instance's rules; null
   * when it is unknown.
   */
  instance(ports: ClientPorts, instance: Instance, revision: number | null): void {
    const now = ports.now();
    const { environmentId, appName, instanceId } = instance;
    // The map key contains the length of `appName`, because both names may contain any separator.
    const name = `${environmentId} ${appName.length} ${appName}${instanceId}`;
    const sent = this.#instancesSent.get(name);
    const newest = Math.max(revision ?? -1, sent?.revision ?? -1);
    if (sent && now - sent.at < MIN_MARK_INTERVAL_MS && newest === sent.revision) return;
    if (this.#instances.size >= MAX_MARKS) return;
    this.#instancesSent.set(name, { at: now, revision: newest });
    // If the new mark has no SDK version, the instance keeps the version of its unsent mark.
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
      // The marks no longer count as sent, so that the next use of the key or instance sends a mark
      // without waiting for a minute.
      for (const id of keys.keys()) this.#keysSent.delete(id);
      for (const name of instances.keys()) this.#instancesSent.delete(name);
    }
  }
}

/** The fields by which an SDK describes itself. Each may be missing. */
type SelfDescription = Partial<
  Readonly<Record<"appName" | "instanceId" | "sdkVersion", string | undefined>>
>;

/**
 * Returns the calling SDK instance, with each field from the body or else from the headers.
 * Undefined when neither has an instance id. Also undefined for a FRONTEND key: the key is public,
 * so callers could invent instances.
 */
export function callingInstance(
  headers: Headers,
  { keyType, environmentId }: KeyRow,
  body?: SelfDescription,
): Instance | undefined {
  if (keyType !== "SERVER") return undefined;
  const instanceId = body?.instanceId ?? named(headers, "X-Instance-Id");
  if (instanceId === undefined) return undefined;
  return {
    environmentId,
    appName: body?.appName ?? named(headers, "X-App-Name") ?? "",
    instanceId,
    sdkVersion: body?.sdkVersion ?? named(headers, "X-Sdk-Version") ?? null,
  };
}

/**
 * Returns the value of a header; undefined when it is missing, empty, longer than `MAX_NAME` or not
 * well-formed Unicode, because such a header must not make a poll fail.
 */
function named(headers: Headers, name: string): string | undefined {
  const text = headers.get(name);
  if (text === null || text === "" || text.length > MAX_NAME || !text.isWellFormed())
    return undefined;
  return text;
}
