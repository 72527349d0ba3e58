import type { Snapshot } from "../core/rules/snapshot.ts";
import type { UsageMessage } from "../core/usage/message-types.ts";
import type { Session } from "../db/database.ts";
import type { FailureLimit } from "../http/context.ts";
import type { RateCounter } from "../http/rate-limit.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";

/** What the client API needs from the platform during one request. */
export interface ClientPorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /**
   * Opens a D1 session: at the nearest replica, at the primary, or at any replica that is at least
   * as new as a bookmark.
   */
  openSession(from: "first-unconstrained" | "first-primary" | (string & {})): Session;
  readonly store: EdgeStore;
  /**
   * Sends messages to the usage queue. Throws: the queue's errors. Some messages may have been sent
   * by then.
   */
  sendUsage(messages: readonly UsageMessage[]): Promise<void>;
  /** Runs work after the response. */
  later(work: Promise<unknown>): void;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Writes an audit record when a rejected key is a revoked key. Does nothing for other keys. */
  reportRefused(hash: string): Promise<void>;
  /** Logs and counts a fault that the caller does not notice. */
  fault(what: string, error: unknown): void;
  /** The two rate limits: that of a key, and that of one network that uses a FRONTEND key. */
  readonly rates: { readonly key: RateCounter; readonly browser: RateCounter };
  /** Counts invalid keys by the network of the caller, and rejects a network with too many. */
  readonly failures: () => FailureLimit;
}

/**
 * Workers KV. It stores the rules of each environment, and serves them while the database is
 * unavailable.
 */
export interface EdgeStore {
  /** Reads the snapshot of an environment; undefined when KV has none in the current format. */
  snapshot(environmentId: number): Promise<Snapshot | undefined>;
  putSnapshot(snapshot: Snapshot): Promise<void>;
  key(hash: string): Promise<KnownKey | undefined>;
}
