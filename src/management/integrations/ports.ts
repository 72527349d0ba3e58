/** What the management API needs of webhook delivery. */
export interface WebhookPort {
  /** Whether plain http, and this machine, may be called: for local work. */
  readonly allowHttp: boolean;
  /** Hands deliveries that were committed to the queue, after the answer. */
  relay(): void;
  /** Makes one attempt at a pending delivery now, and records what came of it. */
  attempt(deliveryId: number): Promise<void>;
}
