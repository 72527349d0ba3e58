import type { DeliveryOutcome } from "../core/metrics/metric-families.ts";
import type { Statement } from "../db/commit.ts";
import type { ReadDb } from "../db/database.ts";
import type { WriteContext } from "../management/context.ts";
import type { Mailer } from "../management/mail.ts";
import type { Vault } from "../management/vault.ts";

/** A queue that a job can put messages into. Errors: whatever the queue says. */
export interface QueueProducer<T> {
  send(messages: readonly { readonly body: T; readonly delaySeconds?: number }[]): Promise<void>;
}

/** One delivery on its way; the truth about it is in the database. */
export interface WebhookMessage {
  readonly deliveryId: number;
  readonly traceId: string;
}

/** Everything that a job may use of the outside world. */
export interface JobDeps {
  /** Reads what this very session has written. */
  readonly db: ReadDb;
  /** Writes what nobody did (see `record` in db/commit.ts). */
  readonly record: <Row>(statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
  /**
   * The context in which a job calls a verb of `management/<folder>/service.ts`. The actor is the
   * system: it may write to every project, and the audit record names it.
   */
  readonly systemContext: (traceId: string) => WriteContext;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly vault: Vault;
  readonly mailer: Mailer;
  /** Where the dashboard is, for links in mails; undefined: not known outside of a request. */
  readonly publicUrl: string | undefined;
  readonly webhooks: {
    /** Seconds before the second attempt. */
    readonly retryBaseSeconds: number;
    readonly allowHttp: boolean;
    /** Deliveries a month. */
    readonly limit: number;
    readonly queue: QueueProducer<WebhookMessage>;
    readonly dead: QueueProducer<WebhookMessage>;
    /** For the metrics. */
    readonly count: (outcome: DeliveryOutcome, deliveries?: number) => void;
  };
  /** Reports a fault that a later try may mend. */
  readonly fault: (what: string, error: unknown, traceId?: string) => void;
}
