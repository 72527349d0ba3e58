/** The part of webhook delivery that the management API uses. */
export interface WebhookPort {
  /** Whether webhook URLs may use plain HTTP and local addresses. Meant for development. */
  readonly allowHttp: boolean;
  /** Sends the committed deliveries to the queue, after the response. */
  relay(): void;
  /** Sends a pending delivery to its receiver once, now, and records the result. */
  attempt(deliveryId: number): Promise<void>;
}
