import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const ACCOUNT = "an-account";

/** An error of Cloudflare's API. Wrangler reads `code`; `status` is the HTTP status. */
export class CloudflareError extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Asked {
  readonly method: string;
  /** The path below `/accounts/<id>`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Handlers by route, such as `GET /queues/:id`. A handler gets the values of the `:` parts. */
export type Routes = Readonly<
  Record<string, (asked: Asked, ...parts: readonly string[]) => unknown>
>;

/** A local server that simulates the parts of Cloudflare's API for which a test defines routes. */
export class CloudflareApi {
  /** All requests, as method and path. */
  readonly calls: string[] = [];
  /** The requests for which the test defines no route. */
  readonly unknown: string[] = [];
  readonly #server: Server;
  readonly #routes: readonly (readonly [RegExp, Routes[string]])[];

  private constructor(routes: Routes) {
    this.#routes = Object.entries(routes).map(([pattern, answer]) => [
      new RegExp(`^${pattern.replaceAll(/:\w+/g, "([^/]+)")}$`),
      answer,
    ]);
    this.#server = createServer((request, response) => {
      void this.#respond(request, response);
    });
  }

  static open(routes: Routes): Promise<CloudflareApi> {
    const api = new CloudflareApi(routes);
    return new Promise((resolve) => {
      api.#server.listen(0, "127.0.0.1", () => {
        resolve(api);
      });
    });
  }

  close(): void {
    this.#server.close();
  }

  /** The environment variables with which wrangler calls only this server. */
  get variables() {
    return {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      CLOUDFLARE_API_TOKEN: "a-token",
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    };
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://localhost");
    const send = (status: number, body: object) => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ messages: [], errors: [], result: null, ...body }));
    };
    try {
      const result = this.#answer({
        method: request.method ?? "GET",
        path: url.pathname.replace(`/accounts/${ACCOUNT}`, ""),
        query: url.searchParams,
        body: Buffer.concat(chunks).toString("utf8"),
      });
      const pages = Array.isArray(result) && { result_info: { total_pages: 1 } };
      send(200, { success: true, result, ...pages });
    } catch (error) {
      const { status, code, message } =
        error instanceof CloudflareError ? error : new CloudflareError(500, 10_000, String(error));
      send(status, { success: false, errors: [{ code, message }] });
    }
  }

  #answer(asked: Asked): unknown {
    const call = `${asked.method} ${asked.path}`;
    this.calls.push(call);
    for (const [pattern, answer] of this.#routes) {
      const [match, ...parts] = pattern.exec(call) ?? [];
      if (match !== undefined) return answer?.(asked, ...parts);
    }
    this.unknown.push(call);
    throw new CloudflareError(404, 10_000, `The simulated API has no route ${call}`);
  }
}
