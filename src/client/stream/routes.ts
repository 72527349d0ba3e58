import { ApiError } from "../../core/errors/api-error.ts";
import type { Counter } from "../../core/metrics/registry.ts";
import { dataOf, type StreamKind } from "../../core/stream/change.ts";
import { EventCursor } from "../../core/stream/event-cursor.ts";
import { assertUrl } from "../../http/request-limits.ts";
import { parseRevision } from "../../http/revision.ts";
import { NO_SNIFFING } from "../../http/security-headers.ts";
import type { Edge, Served } from "../edge/edge.ts";
import type { ClientPorts } from "../sources/ports.ts";
import type { ClientCall, ClientResponse, ClientRoute } from "../edge/surface.ts";
import { eventStream } from "./event-stream.ts";
import { instanceMarks } from "./instance-marks.ts";

const HEADERS = {
  ...NO_SNIFFING,
  "Content-Type": "text/event-stream",
  // `no-transform` keeps proxies from compressing the stream, which delays events.
  "Cache-Control": "no-cache, no-transform",
};

export const stream: ClientRoute = {
  operationId: "streamRevisions",
  method: "get",
  path: "/stream",
  permission: "rules:read",
  respond: (call) => open(call, "native", revisionOf(call)),
};

export const ofrepStream: ClientRoute = {
  operationId: "ofrepStream",
  method: "get",
  path: "/stream",
  permission: "rules:evaluate",
  serve: (c, edge, ports) => {
    const { url } = c.req.raw;
    if (!url.includes("?")) return undefined;
    assertUrl(url);
    const token = c.req.query("token");
    return token === undefined ? undefined : edge.serveStream(ports, token);
  },
  respond: (call) => open(call, "ofrep", lastEventId(call) ?? 0),
};

/** The texts of the events of each kind of stream. `data`: see `messageOf`. */
const FORMATS: Record<StreamKind, (revision: number, data: string) => string> = {
  native: (revision, data) => `event: revision\nid: ${revision}\ndata: ${data}\n\n`,
  ofrep: (revision) => {
    const data = JSON.stringify({ type: "refetchEvaluation", etag: `"${revision}"` });
    return `event: message\nid: ${revision}\ndata: ${data}\n\n`;
  },
};

/**
 * Opens a stream. The leaf registers the socket before it reads the newest revision that it knows.
 * So a later change reaches the socket, and an earlier one is compared here.
 */
async function open(call: ClientCall, kind: StreamKind, has: number): Promise<ClientResponse> {
  const { c, served, edge, ports } = call;
  const { headers, method, signal } = c.req.raw;
  // Responds to HEAD without opening a stream. The response has no body, so nothing would close the
  // stream.
  if (method === "HEAD") return { status: 200, headers: new Headers(HEADERS), body: null };
  const metrics = edge.metrics.streams[kind];
  const { socket, newest } = await connect(ports, served, kind, metrics);
  metrics.connects[headers.has("Last-Event-ID") ? "resumed" : "opened"].add();
  metrics.open.add(1);
  const cursor = new EventCursor(has);
  const revision = await newestRevision(call, has, newest);
  if (revision === undefined) cursor.doubt();
  const format = FORMATS[kind];
  const count = (counter: Counter) => {
    counter.add();
    // Schedules empty work, because the isolate reports its metrics after work, and an open stream
    // may cause no other work for hours.
    ports.later(Promise.resolve());
  };
  const isNews = revision !== undefined && cursor.begin(revision);
  if (isNews) count(metrics.events);
  const marks = kind === "native" ? instanceMarks(call, { has, newest: revision }) : undefined;
  const body = eventStream(socket, {
    cursor,
    format,
    first: isNews ? format(revision, dataOf(revision)) : undefined,
    signal,
    onEvent: (message) => {
      count(metrics.events);
      marks?.event(message);
    },
    onHeartbeat: () => {
      count(metrics.heartbeats);
      marks?.heartbeat();
    },
    onEnd: () => metrics.open.add(-1),
  });
  return { status: 200, headers: new Headers(HEADERS), body };
}

/**
 * Returns the newest revision: of the leaf (`newest`) or of this isolate, whichever is higher. A client may
 * have a higher one if it was connected elsewhere. Then the function asks the primary whether that revision
 * exists, so that the client does not go back to an older revision. Undefined: the primary did not answer.
 */
async function newestRevision(
  { served, edge, ports }: ClientCall,
  has: number,
  newest: number,
): Promise<number | undefined> {
  const known = Math.max(newest, served.set.snapshot.revision);
  if (has <= known) return known;
  const found = await edge.newestFor(ports, served, has);
  return found === undefined ? undefined : Math.max(found, known);
}

type StreamMetrics = Edge["metrics"]["streams"][StreamKind];

/** Connects to a leaf, and counts a failure. Throws: 401, 429, 503. */
async function connect(
  ports: ClientPorts,
  { key }: Served,
  kind: StreamKind,
  { connects }: StreamMetrics,
) {
  try {
    return await ports.streams.connect({ key, kind });
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) connects.full.add();
    else if (!(error instanceof ApiError)) {
      connects.unavailable.add();
      ports.fault("stream", error);
      throw new ApiError(
        "SERVICE_UNAVAILABLE",
        "Event streams are unavailable at the moment; poll, and try again later",
      );
    }
    throw error;
  }
}

/** Returns the revision that the client has: `Last-Event-ID`, or else the query. Throws: 400. */
function revisionOf(call: ClientCall): number {
  const { c } = call;
  const last = lastEventId(call);
  if (last !== undefined || !c.req.raw.url.includes("?")) return last ?? 0;
  assertUrl(c.req.raw.url);
  const text = c.req.query("revision");
  if (text === undefined) return 0;
  const revision = parseRevision(text);
  if (revision === undefined) throw new ApiError("BAD_REQUEST", "revision: must be a revision");
  return revision;
}

/**
 * Returns the header `Last-Event-ID`, which `EventSource` sends when it connects again. Undefined
 * when the header is not a revision: the client then gets the newest revision.
 */
const lastEventId = ({ c }: ClientCall): number | undefined =>
  parseRevision(c.req.raw.headers.get("Last-Event-ID"));
