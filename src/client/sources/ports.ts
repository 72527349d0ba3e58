import type { Snapshot } from "../../core/rules/snapshot.ts";
import type { UndeliveredBatch } from "../../core/usage/usage-batch.ts";
import type { StreamKind } from "../../core/stream/change.ts";
import type { DbSession } from "../../db/database.ts";
import type { FailureLimit } from "../../http/context.ts";
import type { RateCounter } from "../../http/rate-limit.ts";
import type { KnownKey } from "../../core/api-keys/known-key.ts";
import type { KeyRow } from "./queries.ts";
import type { StreamSecrets } from "./stream-token.ts";

/** What the client API needs from the platform during one request. */
export interface ClientPorts {
  /** The current time, epoch milliseconds. */
  now(): number;
  /**
   * Opens a D1 session: at the nearest instance of the database, at the primary, or at an instance
   * that is at least as new as a bookmark.
   */
  openSession(from: "first-unconstrained" | "first-primary" | (string & {})): DbSession;
  readonly store: EdgeStore;
  readonly usage: UsagePorts;
  /** Keeps the request alive until `work` ends, also after its response was sent. */
  later(work: Promise<unknown>): void;
  /** Resolves after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
  /**
   * Call this with the hash of a revoked API key that was rejected. Writes an audit record (at most
   * once an hour for each key) and deletes the copy of the key from KV. `reportedAt`: when the use
   * of the key was last audited, epoch milliseconds, or null.
   */
  reportRevoked(hash: string, reportedAt: number | null): Promise<void>;
  /** Logs and counts a fault that the caller does not notice. */
  fault(what: string, error: unknown): void;
  /**
   * The counters of two rate limits. `key` counts the requests with an API key. `browser` counts
   * the requests from one network with a FRONTEND key.
   */
  readonly rates: { readonly key: RateCounter; readonly browser: RateCounter };
  readonly streams: StreamPorts;
  /**
   * The rate limit of invalid API keys. It counts invalid keys for each network of callers, and
   * rejects a network with too many.
   */
  failures(): FailureLimit;
}

/** Where an isolate sends usage and last-seen marks. */
export interface UsagePorts {
  /** How long an isolate adds usage up before it sends it, milliseconds. */
  readonly flushMs: number;
  /** How often an SDK with an open stream reports usage, seconds. */
  readonly reportSeconds: number;
  /** Returns the name of the usage object of an environment. */
  objectOf(projectId: number, environmentId: number): string;
  /**
   * Adds batches (JSON of `UsageBatch`) to a usage object, and resolves once they are stored.
   * Throws: the object's errors, `TimeoutError`. The object may have the batches nevertheless.
   */
  add(object: string, batches: readonly string[]): Promise<void>;
  /** Sends batches to the usage queue. Throws: the queue's errors. Some may have been sent by then. */
  enqueue(batches: readonly UndeliveredBatch[]): Promise<void>;
}

/** What event streams need from the platform. */
export interface StreamPorts {
  /** Whether the service offers streams. */
  readonly isOn: boolean;
  readonly secrets: StreamSecrets;
  /**
   * Connects to a leaf, which from then on sends every new revision of the environment. The caller
   * accepts the socket. Throws: 401 when the API key was deleted, 429 when the leaf has no room for
   * the type of the key, or for one more stream of the caller, and the errors of the call of the leaf.
   */
  connect(to: StreamTarget): Promise<StreamConnection>;
}

interface StreamTarget {
  readonly key: Pick<KeyRow, "id" | "keyType" | "environmentId">;
  readonly kind: StreamKind;
}

export interface StreamConnection {
  readonly socket: WebSocket;
  /** The newest revision that the leaf knew when it registered the socket; 0 when it knew none. */
  readonly newest: number;
}

/** A copy of an API key in KV. */
export interface KeyCopy extends KnownKey {
  /** When the copy was written, epoch milliseconds. */
  readonly writtenAt: number;
}

/**
 * Workers KV. Isolates load rules from KV before they ask the database, and check API keys in KV
 * while the database is unavailable. Throws: KV's errors, and an error for an invalid value.
 */
export interface EdgeStore {
  /** Reads the snapshot of an environment; undefined when KV has none in the current format. */
  snapshot(environmentId: number): Promise<Snapshot | undefined>;
  putSnapshot(snapshot: Snapshot): Promise<void>;
  /** Finds the copy of an API key by the key's hash; undefined when KV has none. */
  key(hash: string): Promise<KeyCopy | undefined>;
  putKey(hash: string, key: KnownKey): Promise<void>;
  deleteKey(hash: string): Promise<void>;
}
