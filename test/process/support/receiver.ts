import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { Webhook } from "standardwebhooks";

export interface Call {
  readonly path: string;
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /**
   * When the receiver responded or the service gave up, epoch milliseconds; undefined before that.
   */
  endedAt: number | undefined;
}

export interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly sequence: number; readonly flag: { readonly key: string } };
}

/**
 * Responds to a call. `nth`: the number of the call among calls with the same `webhook-id`, from 1.
 */
type Behaviour = (response: ServerResponse, nth: number) => void;

const KILOBYTE = Buffer.alloc(1024, "x");

/** The behaviour of each path of the receiver. Any other path returns 404. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "/good": (response) => response.writeHead(204).end(),
  "/fails-twice": (response, nth) => response.writeHead(nth <= 2 ? 500 : 200).end("a reply"),
  "/hangs": () => {},
  "/closes": (response, nth) => {
    if (nth > 1) response.end("whole");
    else response.socket?.destroy();
  },
  "/breaks-off": (response) => {
    response.writeHead(200, { "Content-Length": 1000 });
    response.write("half", () => response.socket?.destroy());
  },
  "/never-ends": (response) => response.writeHead(200).write("begun"),
  "/drips": (response) => {
    response.writeHead(202);
    const timer = setInterval(() => response.write("x"), 500);
    response.once("close", () => clearInterval(timer));
  },
  "/broken-gzip": (response) =>
    response.writeHead(200, { "Content-Encoding": "gzip" }).end("not compressed"),
  "/talks": (response) => {
    response.writeHead(200, { "Content-Length": 10 * 1024 * 1024 });
    const write = (left: number) => {
      if (left === 0) response.end();
      else if (!response.destroyed) response.write(KILOBYTE, () => write(left - 1));
    };
    write(10 * 1024);
  },
  "/redirects": (response) =>
    response.writeHead(302, { Location: response.req.headers["x-elsewhere"] as string }).end(),
};

/** A webhook receiver on localhost that records all calls and shares no code with the service. */
export class Receiver {
  readonly calls: Call[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        const { url: path = "", headers } = request;
        const call: Call = { path, at: Date.now(), headers, body, endedAt: undefined };
        this.calls.push(call);
        response.once("close", () => {
          call.endedAt = Date.now();
        });
        const nth = this.to(path).filter((c) => idOf(c) === headers["webhook-id"]).length;
        const behave = BEHAVIOURS[path];
        if (behave) behave(response, nth);
        else response.writeHead(404).end();
      });
    });
  }

  static open(port: number): Promise<Receiver> {
    const receiver = new Receiver();
    return new Promise((resolve, reject) => {
      receiver.#server.once("error", reject);
      receiver.#server.listen(port, "127.0.0.1", () => resolve(receiver));
    });
  }

  to(path: string): Call[] {
    return this.calls.filter((call) => call.path === path);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export const idOf = (call: Call): string => String(call.headers["webhook-id"]);

/** The distinct `webhook-id` headers of the calls, sorted. */
export const idsOf = (calls: readonly Call[]): string[] => [...new Set(calls.map(idOf))].toSorted();

/**
 * Verifies a call with the standardwebhooks package, and returns its body.
 * Throws: Error for a wrong signature.
 */
export const verified = (secret: string, { body, headers }: Call): Payload =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Payload;
