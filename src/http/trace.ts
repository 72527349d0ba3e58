/** B3 propagation (github.com/openzipkin/b3-propagation) and W3C trace context, ids only. */
export interface Trace {
  /** 16 or 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
}

/** The variable that a request's trace is kept in. */
export interface TraceVariables {
  trace: Trace;
}

const B3_TRACE_ID = /^(?!0+$)(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
/** Version `ff` is no version, and nothing may follow the flags of version `00`. */
const TRACEPARENT =
  /^(?!ff|00-.{53})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Continues the caller's trace where its id is valid, else starts one; the span is always new. */
function traceOf(headers: Headers): Trace {
  const spanId = randomHex(8);
  const b3 = headers.get("X-B3-TraceId");
  if (b3 !== null && B3_TRACE_ID.test(b3)) return { traceId: b3.toLowerCase(), spanId };
  const w3c = headers.get("traceparent");
  const traceId = w3c === null ? undefined : TRACEPARENT.exec(w3c)?.[1];
  return { traceId: traceId ?? randomHex(16), spanId };
}

/** The part of a Hono context that keeps the trace, whatever else the context carries. */
export interface TraceContext {
  readonly req: { readonly raw: Request };
  readonly var: { readonly trace?: Trace };
  set(key: "trace", trace: Trace): void;
}

/** The trace of a request, begun when it is first asked for. */
export function ensureTrace(c: TraceContext): Trace {
  const { trace: known } = c.var;
  if (known) return known;
  const trace = traceOf(c.req.raw.headers);
  c.set("trace", trace);
  return trace;
}

export const traceHeaders = ({ traceId, spanId }: Trace): Record<string, string> => ({
  "X-B3-TraceId": traceId,
  "X-B3-SpanId": spanId,
});

/** Puts the trace on whatever answer the context will make. */
export function announceTrace(
  c: TraceContext & { header(name: string, value: string): void },
): void {
  for (const [name, value] of Object.entries(traceHeaders(ensureTrace(c)))) c.header(name, value);
}

/** Ids are no secrets, so their randomness may be drawn in one go: a call costs more than its bytes. */
const pool = new Uint8Array(4096);
let used = pool.length;

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let hex = "";
  for (let i = 0; i < bytes; i++) hex += HEX[pool[used + i] ?? 0];
  used += bytes;
  return hex;
}
