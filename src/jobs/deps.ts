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

/** Says which delivery is due. Its state is in the database, not in the message. */
export interface WebhookMessage {
  readonly deliveryId: number;
  readonly traceId: string;
}

/** The dependencies of a job: all I/O goes through them. */
export interface JobDeps {
  /** Reads of the same session see the writes of the job. */
  readonly db: ReadDb;
  /** Writes without an actor and an audit record, in one transaction (see `record` in db/commit.ts). */
  readonly record: <Row>(statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * The context in which a job calls a verb of `management/<folder>/service.ts`. The actor is the
   * system: it may write to every project, and the audit record names it.
   */
  readonly systemContext: (traceId: string) => WriteContext;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** The base URL of the dashboard, for links in mails; undefined when `PUBLIC_URL` is not set. */
  readonly publicUrl: string | undefined;
  readonly webhooks: {
    /** Seconds before the second attempt. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
    /** The quota of deliveries per month. */
    readonly limit: number;
    readonly queue: QueueProducer<WebhookMessage>;
    readonly dead: QueueProducer<WebhookMessage>;
    /** Counts deliveries in `webhook_deliveries_total`. */
    readonly count: (outcome: DeliveryOutcome, deliveries?: number) => void;
  };
  /** Logs and counts a fault; the job will be retried or runs again. */
  readonly fault: (what: string, error: unknown, traceId?: string) => void;
}
