/** The part of webhook delivery that the management API uses. */
export interface WebhookPort {
  /** Whether webhook URLs may use plain http and local addresses. For development. */
  readonly allowHttp: boolean;
  /** Sends committed deliveries to the queue, after the response. */
  relay(): void;
  /** Makes one attempt at a pending delivery now, and records the result. */
  attempt(deliveryId: number): Promise<void>;
}
