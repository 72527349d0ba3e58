import { Buffer } from "node:buffer";
import {
  isSampled,
  type CallerTrace,
  readTraceHeaders,
  type Trace,
  traceHeaders,
} from "../core/logging/trace.ts";

/** The trace of one request, and when the request began, epoch milliseconds. */
export interface RequestTrace extends Trace {
  readonly beganAt: number;
}

export interface TraceVariables {
  trace: RequestTrace;
  /** Whether the `traced` middleware records the span; otherwise `recordUntraced` does. */
  spanned?: boolean;
}

/** The share of traces to sample if the caller's trace headers do not decide, from 0 to 1. */
let probability = 1;

/** Configures the sampling of the whole isolate. Called by platform/observability.ts. */
export function configureTraces(samplingProbability: number): void {
  probability = samplingProbability;
}

export interface TraceContext {
  readonly req: { readonly raw: Request };
  get(key: "trace"): RequestTrace | undefined;
  set(key: "trace", trace: RequestTrace): void;
}

/**
 * Returns the trace of a request. The first call creates the trace and takes the current time as
 * the start of the request.
 */
export function ensureTrace(c: TraceContext): RequestTrace {
  // `c.var` would copy all variables of the context.
  const known = c.get("trace");
  if (known) return known;
  const trace = { ...newSpan(readTraceHeaders(c.req.raw.headers)), beganAt: Date.now() };
  c.set("trace", trace);
  return trace;
}

/**
 * Returns a new span. The span belongs to the caller's trace if the caller sent one, and otherwise
 * to a new trace.
 */
export function newSpan({ traceId = newTraceId(), spanId, sampled }: CallerTrace): Trace {
  return {
    traceId,
    spanId: randomHex(8),
    parentSpanId: spanId,
    sampled: sampled ?? isSampled(traceId, probability),
  };
}

/** Returns a random trace id of 32 hex digits. */
export const newTraceId = (): string => randomHex(16);

/** Adds the trace headers to the response that the context will create. */
export function announceTrace(
  c: TraceContext & { header(name: string, value: string): void },
): void {
  for (const [name, value] of Object.entries(traceHeaders(ensureTrace(c)))) c.header(name, value);
}

/**
 * Random hex digits for many ids. One call of `getRandomValues` makes all of them, because many small
 * calls take longer. Ids are not secret.
 */
let pool = "";
let used = 0;
const POOL_BYTES = 4096;

/** Returns random bytes from the pool as hex digits. */
function randomHex(bytes: number): string {
  const digits = 2 * bytes;
  if (used + digits > pool.length) {
    pool = Buffer.from(crypto.getRandomValues(new Uint8Array(POOL_BYTES))).toString("hex");
    used = 0;
  }
  const hex = pool.slice(used, used + digits);
  used += digits;
  return hex;
}
