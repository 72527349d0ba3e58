import { Buffer } from "node:buffer";
import { connect, type Socket } from "node:net";
import type { Scenario } from "../../scripts/service/scenarios.ts";

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** The latency of every request, milliseconds, unsorted. */
  readonly latencies: number[];
}

const HEAD_END = "\r\n\r\n";
/**
 * The maximum number of bytes of a chunk that are searched for the end of the headers. The headers
 * of every response in the benchmark are shorter.
 */
const MAX_HEAD = 2_048;
const latin1 = new TextDecoder("latin1");
const LENGTH = /^content-length: *(\d+)/im;

/**
 * Returns the bytes of a request. Built once, because the load generator must cost less than the
 * Worker.
 */
function wireBytes({ method, path, headers, body }: Scenario): Buffer {
  const length = method === "POST" ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, "Host: bench", ...lines, ...length];
  return Buffer.from(head.join("\r\n") + HEAD_END + body);
}

/** Parses the HTTP/1.1 responses of workerd: one after the other, each with a Content-Length. */
class Reader {
  #missing = 0;
  #head = "";
  readonly #expected: string;
  /** The head of the last response, if its status is not the expected status. */
  unexpected: string | undefined;

  constructor(status: number) {
    this.#expected = `HTTP/1.1 ${status} `;
  }

  /** Returns whether the chunk completes the response. */
  ends(chunk: Uint8Array): boolean {
    if (this.#missing > 0) {
      this.#missing -= chunk.length;
      return this.#missing === 0;
    }
    const text = this.#head + latin1.decode(chunk.subarray(0, MAX_HEAD));
    const end = text.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = text;
      return false;
    }
    this.unexpected = text.startsWith(this.#expected) ? undefined : text;
    const length = Number(LENGTH.exec(text)?.[1] ?? 0);
    this.#missing = length + end + HEAD_END.length - this.#head.length - chunk.length;
    this.#head = "";
    return this.#missing === 0;
  }
}

/**
 * Keeps one request in flight on each connection for `seconds`. With 0 seconds, sends only one
 * request on each connection. Throws: the first error of any connection.
 */
export async function load(
  port: number,
  scenario: Scenario,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const requests = (scenario.inTurn ?? [scenario]).map((sent) =>
    wireBytes({ ...scenario, ...sent }),
  );
  const latencies: number[] = [];
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const start = performance.now();
  const until = start + seconds * 1_000;
  const driven = sockets.map((socket, first) =>
    drive(socket, { status: scenario.status, requests, first, latencies, until }),
  );
  await Promise.all(driven);
  const elapsed = (performance.now() - start) / 1_000;
  return { requests: latencies.length, seconds: elapsed, latencies };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("connect", () => resolve(socket)).once("error", reject);
  });
}

interface Drive {
  /** The HTTP status that every response must have. */
  readonly status: number;
  /** The requests, which are sent in turn. */
  readonly requests: readonly Buffer[];
  /** The index of the first request. */
  readonly first: number;
  /** The list that gets the latency of every request, milliseconds. */
  readonly latencies: number[];
  /** The time after which no request is sent, on the clock of `performance.now()`. */
  readonly until: number;
}

/** Sends one request after the other on the socket. */
function drive(
  socket: Socket,
  { status, requests, first, latencies, until }: Drive,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new Reader(status);
    let next = first;
    const send = () => socket.write(requests[next++ % requests.length] ?? "");
    let sent = performance.now();
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.on("error", fail).on("close", () => fail(new Error("the connection was closed")));
    socket.on("data", (chunk) => {
      if (!reader.ends(chunk)) return;
      if (reader.unexpected !== undefined) {
        fail(new Error(`unexpected response: ${reader.unexpected}`));
        return;
      }
      const now = performance.now();
      latencies.push(now - sent);
      if (now < until) {
        sent = now;
        send();
      } else {
        resolve();
        socket.destroy();
      }
    });
    send();
  });
}
