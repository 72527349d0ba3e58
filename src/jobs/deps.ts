import type { DeliveryOutcome } from "../core/metrics/metric-families.ts";
import type { Statement } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { WriteContext } from "../management/context.ts";
import type { Mailer } from "../management/mail.ts";
import type { Vault } from "../management/vault.ts";

/** A queue to send messages to. `send` throws whatever the queue throws. */
export interface QueueProducer<T> {
  send(messages: readonly { readonly body: T; readonly delaySeconds?: number }[]): Promise<void>;
}

/**
 * A queue message that says which delivery is due. The state of the delivery is in the database.
 */
export interface WebhookMessage {
  readonly deliveryId: number;
  readonly traceId: string;
}

/** The dependencies of a job: all I/O goes through them. */
export interface JobDeps {
  /** Reads the database. Reads in one job see the writes of that job. */
  readonly db: ReadDb;
  /**
   * Writes in one transaction, without an actor and an audit record (see `record` in db/commit.ts).
   */
  readonly record: <Row>(statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * Makes the context for calling a verb of `management/<folder>/service.ts` from a job. The actor
   * is the system: it may write to every project, and the audit record names it.
   */
  readonly systemContext: (traceId: string) => WriteContext;
  /** The current time, epoch milliseconds. */
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** The base URL of the dashboard, for links in mails; undefined when `PUBLIC_URL` is not set. */
  readonly publicUrl: string | undefined;
  readonly webhooks: {
    /** The delay before the second attempt at a delivery, seconds. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
    /** The monthly quota of deliveries. */
    readonly limit: number;
    readonly queue: QueueProducer<WebhookMessage>;
    readonly dead: QueueProducer<WebhookMessage>;
    /** Counts delivery attempts in the metric `webhook_deliveries_total`. */
    readonly count: (outcome: DeliveryOutcome, deliveries?: number) => void;
  };
  /** Logs and counts a fault. The job is retried, or runs again with its next trigger. */
  readonly fault: (what: string, error: unknown, traceId?: string) => void;
}
