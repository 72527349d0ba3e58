import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the webhook receiver got it. */
export interface Received {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A webhook receiver on localhost. The service calls it only with `WEBHOOK_ALLOW_HTTP`. */
export class Receiver {
  /** The HTTP status of all following responses. */
  status = 204;
  readonly received: Received[] = [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      this.received.push({
        body: Buffer.concat(chunks).toString(),
        headers: Object.fromEntries(headers) as Record<string, string>,
      });
      response.writeHead(this.status).end(this.status === 204 ? undefined : "Out of order");
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The types of the received webhook events, in the order of arrival. */
  get types(): string[] {
    return this.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  }
}
