import {
  isSampled,
  type CallerTrace,
  readTraceHeaders,
  type Trace,
  traceHeaders,
} from "../core/logging/trace.ts";

/** The trace of one request, and when it began, epoch milliseconds. */
export interface RequestTrace extends Trace {
  readonly beganAt: number;
}

/** The variables that a request's trace is kept in. */
export interface TraceVariables {
  trace: RequestTrace;
  /** Its span is recorded by a middleware that stands before the route. */
  spanned?: boolean;
}

/** The share of the traces that are sampled when the caller decides nothing, 0 to 1. */
let probability = 1;

/** Applies to the whole isolate (see `observe` in platform). */
export function configureTraces(samplingProbability: number): void {
  probability = samplingProbability;
}

/** The part of a Hono context that keeps the trace, whatever else the context carries. */
export interface TraceContext {
  readonly req: { readonly raw: Request };
  readonly var: { readonly trace?: RequestTrace };
  set(key: "trace", trace: RequestTrace): void;
}

/** The trace of a request, begun when it is first asked for. */
export function ensureTrace(c: TraceContext): RequestTrace {
  const { trace: known } = c.var;
  if (known) return known;
  const trace = { ...newSpan(readTraceHeaders(c.req.raw.headers)), beganAt: Date.now() };
  c.set("trace", trace);
  return trace;
}

/** Continues a trace, or starts one where there is none; the span is always new. */
export function newSpan({ traceId = newTraceId(), spanId, sampled }: CallerTrace): Trace {
  return {
    traceId,
    spanId: randomHex(8),
    parentSpanId: spanId,
    sampled: sampled ?? isSampled(traceId, probability),
  };
}

export const newTraceId = (): string => randomHex(16);

/** Puts the trace on whatever answer the context will make. */
export function announceTrace(
  c: TraceContext & { header(name: string, value: string): void },
): void {
  for (const [name, value] of Object.entries(traceHeaders(ensureTrace(c)))) c.header(name, value);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

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
