import type { Snapshot } from "../core/rules/snapshot.ts";
import type { UsageMessage } from "../core/usage/message-types.ts";
import type { Session } from "../db/database.ts";
import type { FailureLimit } from "../http/context.ts";
import type { RateCounter } from "../http/rate-limit.ts";
import type { KnownKey } from "../management/api-keys/ports.ts";

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
  /** Hands messages to the roll-up. Errors: the queue's; then none, or not all, are handed over. */
  sendUsage(messages: readonly UsageMessage[]): Promise<void>;
  /** Work for after the answer. */
  later(work: Promise<unknown>): void;
  /** Resolves after that many milliseconds. */
  wait(ms: number): Promise<void>;
  /** Records that a key was refused which had been revoked; does nothing for other keys. */
  reportRefused(hash: string): Promise<void>;
  /** Reports a fault that the caller was spared. */
  fault(what: string, error: unknown): void;
  /** Who counts the requests of a key, and those of one browser with a FRONTEND key. */
  readonly rates: { readonly key: RateCounter; readonly browser: RateCounter };
  /** The tokens of the caller's address that were no keys. */
  readonly failures: () => FailureLimit;
}

/** The edge's store beside the database: saves rebuilds, and serves while the database cannot. */
export interface EdgeStore {
  snapshot(environmentId: number): Promise<Snapshot | undefined>;
  putSnapshot(snapshot: Snapshot): Promise<void>;
  key(hash: string): Promise<KnownKey | undefined>;
}
