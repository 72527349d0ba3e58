import type { Context, Env, Handler } from "hono";
import type { Permission } from "../core/permissions.ts";
import { bearerToken } from "../http/access.ts";
import { ensureTrace, traceHeaders, type TraceVariables } from "../http/trace.ts";
import type { Edge } from "./edge.ts";
import type { ClientPorts } from "./ports.ts";
import type { Served } from "./rule-cache.ts";

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

export interface ClientAnswer {
  readonly status: 200 | 304;
  readonly headers: Record<string, string>;
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

const crossOrigin = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(","),
};

/**
 * A whole route in one handler, which Hono calls directly as no middleware stands before it. Trace,
 * key check (401, 403, 503, before anything of the request is read), then the answer.
 */
export const clientRoute =
  <E extends ClientEnv>(
    world: (c: Context<E>) => ClientWorld,
    permission: Permission,
    answer: (call: ClientCall<E>) => ClientAnswer | Promise<ClientAnswer>,
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
    const { status, headers, body } = await answer({ c, served, edge, ports });
    // One object, one Headers: setting them one by one is what costs in this runtime.
    Object.assign(headers, traceHeaders(trace), browser && crossOrigin);
    return new Response(body, { status, headers });
  };
