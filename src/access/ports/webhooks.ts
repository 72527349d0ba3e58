/** The part of webhook delivery that the management API uses. */
export interface WebhookPort {
  /** Whether webhook URLs may use plain HTTP and may point to this machine. Meant for development. */
  readonly allowHttp: boolean;
  /** Sends new webhook deliveries to the queue. The response does not wait for this. */
  relay(): void;
  /**
   * Makes one attempt at a pending webhook delivery, and records the result of the attempt before
   * the promise resolves.
   */
  attempt(deliveryId: number): Promise<void>;
}
