import type { Context, Env, Handler } from "hono";
import type { Permission } from "@feature-flags/permissions/permissions";
import { bearerToken } from "../http/access.ts";
import { HTTPS_ONLY, NO_SNIFFING } from "../http/security-headers.ts";
import { recordSpan } from "../http/span.ts";
import { ensureTrace, type TraceVariables } from "../http/trace.ts";
import type { Edge, Served } from "./edge.ts";
import type { ClientPorts } from "./ports.ts";

export interface ClientEnv extends Env {
  Variables: TraceVariables;
}

/** What the client API gets from outside for one request. */
export interface ClientWorld {
  readonly edge: Edge;
  readonly ports: ClientPorts;
}

/** One call of the client API, past its key check. */
export interface ClientCall<E extends ClientEnv> extends ClientWorld {
  readonly c: Context<E>;
  readonly served: Served;
}

/** Hears of every answer but those to errors, which the app makes. */
export type Answered<E extends ClientEnv> = (c: Context<E>, status: number) => void;

export interface ClientAnswer {
  readonly status: 200 | 202 | 304;
  /** Shared with other answers, so it is copied and never changed. */
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** The headers that a browser's SDK may read. */
const EXPOSED = [
  "ETag",
  "X-Revision",
  "X-Delta",
  "X-Next-Since",
  "X-B3-TraceId",
  "X-B3-SpanId",
  "Warning",
  "Retry-After",
];

/** What every answer with a body says of it. */
export const JSON_HEADERS = { "Content-Type": "application/json", ...NO_SNIFFING };

const crossOrigin = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(","),
  ...HTTPS_ONLY,
};

/**
 * A whole route in one handler, which Hono calls directly as no middleware stands before it. Trace,
 * key check (401, 403, 503, before anything of the request is read), rate (429), then the answer.
 */
export const clientRoute =
  <E extends ClientEnv>(
    world: (c: Context<E>) => ClientWorld,
    permission: Permission,
    answer: (call: ClientCall<E>) => ClientAnswer | Promise<ClientAnswer>,
    answered: Answered<E>,
  ): Handler<E> =>
  async (c) => {
    const trace = ensureTrace(c);
    const { headers: asked } = c.req.raw;
    const browser = asked.has("Origin");
    // For the answer to an error, which the app makes.
    if (browser) for (const [name, value] of Object.entries(crossOrigin)) c.header(name, value);
    const { edge, ports } = world(c);
    const token = bearerToken(asked.get("Authorization") ?? undefined);
    const served = await edge.serve(ports, token, permission);
    edge.rates.admit(ports, served.key, () => asked.get("CF-Connecting-IP"));
    edge.sightings.key(ports, served.key.id);
    const { status, headers, body } = await answer({ c, served, edge, ports });
    const response = new Response(body, { status, headers });
    response.headers.set("X-B3-TraceId", trace.traceId);
    response.headers.set("X-B3-SpanId", trace.spanId);
    // Each header is paid for, so only browsers hear of https.
    if (browser)
      for (const [name, value] of Object.entries(crossOrigin)) response.headers.set(name, value);
    recordSpan(c, "DEBUG", status);
    answered(c, status);
    return response;
  };
