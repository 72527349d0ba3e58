import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";

/**
 * What a proxy does to responses. `compress`: what Cloudflare does. It compresses text unless the
 * response has `no-transform`, and makes the ETag of a compressed response weak. `weaken`: makes every
 * ETag weak, as a proxy that ignores `no-transform`.
 */
type Mode = "compress" | "weaken";

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** The headers of one connection, which a proxy does not pass on (RFC 9110 section 7.6.1). */
const HOP_HEADERS = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
]);
const COMPRESSIBLE =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?json|application\/javascript)/;

/** Starts a proxy in front of the service at an address, with the mode of Cloudflare or a stricter one. */
export async function startProxy(target: string, mode: Mode): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, target, mode));
  server.listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  mode: Mode,
): void {
  const { method, url } = incoming;
  const headers = { ...withoutHops(incoming.headers), "accept-encoding": "gzip, br" };
  const upstream = request(`${target}${url}`, { method, headers, agent: false });
  upstream.on("response", (response) => respond(incoming, response, outgoing, mode));
  upstream.on("error", () => outgoing.destroy());
  // The client has left, for example an event stream.
  outgoing.on("close", () => upstream.destroy());
  incoming.pipe(upstream);
}

function respond(
  incoming: IncomingMessage,
  response: IncomingMessage,
  outgoing: ServerResponse,
  mode: Mode,
): void {
  const headers = withoutHops(response.headers);
  const accepts = incoming.headers["accept-encoding"]?.includes("gzip") === true;
  const compresses =
    accepts &&
    incoming.method !== "HEAD" &&
    ![204, 304].includes(response.statusCode ?? 0) &&
    headers["content-encoding"] === undefined &&
    COMPRESSIBLE.test(headers["content-type"] ?? "") &&
    !(headers["cache-control"] ?? "").includes("no-transform");
  if (mode === "weaken" || compresses) headers.etag = headers.etag?.replace(/^"/, 'W/"');
  if (headers.etag === undefined) delete headers.etag;
  if (compresses) {
    delete headers["content-length"];
    headers["content-encoding"] = "gzip";
  }
  outgoing.writeHead(response.statusCode ?? 502, headers);
  const end = () => {};
  if (compresses) pipeline(response, createGzip(), outgoing, end);
  else pipeline(response, outgoing, end);
}

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name)));
