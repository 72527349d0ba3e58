import type { DeliveryOutcome } from "../core/metrics/metric-families.ts";
import type { ProjectChange, Revision, Statement } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { Call } from "../access/call.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import type { Mailer } from "../access/ports/mailer.ts";
import type { Vault } from "../access/ports/vault.ts";

/** A queue to which a job sends messages. `send` throws the queue's error, or `TimeoutError`. */
export interface QueueProducer<T> {
  send(messages: readonly { readonly body: T; readonly delaySeconds?: number }[]): Promise<void>;
}

/**
 * A message of the webhook queue or of its dead-letter queue. The message names a webhook delivery,
 * whose status is in the database.
 */
export interface WebhookMessage {
  readonly deliveryId: number;
  readonly traceId: string;
}

/** A deleted API key, whose event streams end. */
interface StreamKey {
  readonly id: number;
  readonly environmentId: number;
}

/** A snapshot in KV: its KV key, and the environment whose rules it holds. */
export interface StoredSnapshot {
  readonly name: string;
  readonly environmentId: number;
}

/** The dependencies of a job. A job does all I/O through them. */
export interface JobDeps {
  /** Reads the database. A job sees its own writes. */
  readonly db: ReadDb;
  /**
   * Runs the statements in one transaction, without an actor and an audit record (see `record` in
   * db/commit.ts).
   */
  readonly record: <Row>(statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * Makes the call with which a job calls verbs of the management code. The actor is the service
   * itself. The service may write to every project, and audit records name the service.
   */
  readonly systemCall: (traceId: string) => Call;
  /**
   * Makes the call for a planned change. The actor, who has planned it, must have the right to make it
   * now. Audit records name the service, and say on whose behalf it acts.
   */
  readonly plannedCall: (traceId: string, onBehalfOf: Actor) => Call;
  /** The current time, epoch milliseconds. */
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** The base URL of the dashboard, for links in e-mails; undefined when `PUBLIC_URL` is not set. */
  readonly publicUrl: string | undefined;
  /** The lifetime of a refresh token. A session that was not refreshed for this long has ended. */
  readonly refreshTtlMs: number;
  readonly webhooks: {
    /** The delay before the second attempt at a webhook delivery, seconds. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
    /** The monthly quota of webhook deliveries. */
    readonly limit: number;
    readonly queue: QueueProducer<WebhookMessage>;
    readonly dead: QueueProducer<WebhookMessage>;
    /** Adds webhook deliveries with this outcome to the metric `webhook_deliveries_total`. */
    readonly count: (outcome: DeliveryOutcome, deliveries?: number) => void;
  };
  /** How long audit records are kept, milliseconds; undefined: without limit. */
  readonly auditRetentionMs: number | undefined;
  /** The snapshots in KV. The functions throw whatever KV throws. */
  readonly snapshots: {
    /** Lists the snapshots of all formats in pages. */
    readonly list: () => AsyncIterable<readonly StoredSnapshot[]>;
    /** Deletes a snapshot by its KV key. */
    readonly delete: (name: string) => Promise<void>;
  };
  /** The usage objects. `add` throws the object's errors and `TimeoutError`. */
  readonly usage: {
    readonly objectOf: (projectId: number, environmentId: number) => string;
    readonly add: (object: string, batches: readonly string[]) => Promise<void>;
  };
  /** Notifies the event streams of an environment of a revision. A failure is a fault. */
  readonly notifyStreams: (change: Revision) => Promise<void>;
  /** Notifies the event streams of a project of a change. A failure is a fault. */
  readonly notifyProject: (change: ProjectChange) => Promise<void>;
  /** Ends the event streams of a deleted API key. A failure is a fault. */
  readonly closeStreamsOfKey: (key: StreamKey) => Promise<void>;
  /** Makes the scheduler of a project run what is due. Throws: `UnavailableError`. */
  readonly runScheduler: (projectId: number) => Promise<void>;
  /** Adds how late a planned change was to the metric `schedule_lag_seconds`, milliseconds. */
  readonly observeScheduleLag: (lateMs: number) => void;
  /** Logs and counts a fault after which the job continues. */
  readonly fault: (what: string, error: unknown, traceId?: string) => void;
}
