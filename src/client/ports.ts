import type { Snapshot } from "../core/ruleset.ts";
import type { SqlClient } from "../db/database.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";

interface Session extends SqlClient {
  getBookmark(): string | null;
}

/** What the client API needs of one request's outside world. */
export interface ClientPorts {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * A new session: at the nearest replica, at the primary, or at any replica that is at least as
   * new as a bookmark.
   */
  openSession(from: "first-unconstrained" | "first-primary" | (string & {})): Session;
  readonly store: EdgeStore;
  /** Work for after the answer. */
  later(work: Promise<unknown>): void;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Records that a key was refused which had been revoked; does nothing for other keys. */
  reportRefused(hash: string): Promise<void>;
  /** Reports a fault that the caller was spared. */
  fault(what: string, error: unknown): void;
}

/** The edge's store beside the database: saves rebuilds, and serves while the database cannot. */
export interface EdgeStore {
  snapshot(environmentId: number): Promise<Snapshot | undefined>;
  putSnapshot(snapshot: Snapshot): Promise<void>;
  key(hash: string): Promise<KnownKey | undefined>;
}
