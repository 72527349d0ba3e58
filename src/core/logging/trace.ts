/** Trace context on the wire: B3 (github.com/openzipkin/b3-propagation) and W3C trace context. */

export interface Trace {
  /** 16 or 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  /** The caller's span. */
  readonly parentSpanId: string | undefined;
  /** Whether the request leaves a span record. */
  readonly sampled: boolean;
}

/** What a caller tells of its trace; what is malformed counts as not told. */
export interface CallerTrace {
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly sampled?: boolean | undefined;
}

type Headers = Pick<globalThis.Headers, "get">;

const TRACE_ID = /^(?!0+$)(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/i;
/** The trace and the span, then the decision, then the span before; the latter two may be missing. */
const B3 =
  /^(?!0+-)([0-9a-f]{16}|[0-9a-f]{32})-(?!0{16})([0-9a-f]{16})(?:-([01d])(?:-[0-9a-f]{16})?)?$/i;
/** Version `ff` is no version, and nothing may follow the flags of version `00`. */
const TRACEPARENT =
  /^(?!ff|00-.{53})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** `d` asks for debugging, which includes sampling; old tracers write words. */
const DECISIONS: ReadonlyMap<string, boolean> = new Map([
  ["0", false],
  ["1", true],
  ["d", true],
  ["false", false],
  ["true", true],
]);

const NOTHING: CallerTrace = {};

function singleB3(headers: Headers): CallerTrace {
  const header = headers.get("b3");
  if (header === null) return NOTHING;
  if (header.length === 1) return { sampled: DECISIONS.get(header) };
  const [, traceId, spanId, decision = ""] = B3.exec(header) ?? [];
  return {
    traceId: traceId?.toLowerCase(),
    spanId: spanId?.toLowerCase(),
    sampled: DECISIONS.get(decision.toLowerCase()),
  };
}

function multiB3(headers: Headers): CallerTrace {
  const id = headers.get("X-B3-TraceId");
  const decision = headers.get("X-B3-Sampled");
  const sampled = decision === null ? undefined : DECISIONS.get(decision);
  // Most requests have neither: each header that is asked for costs as much as the rest of this.
  if (id === null || !TRACE_ID.test(id)) return sampled === undefined ? NOTHING : { sampled };
  const span = headers.get("X-B3-SpanId");
  const spanId = span !== null && SPAN_ID.test(span) ? span.toLowerCase() : undefined;
  const isDebug = headers.get("X-B3-Flags") === "1";
  return { traceId: id.toLowerCase(), spanId, sampled: isDebug || sampled };
}

function w3c(headers: Headers): CallerTrace {
  const header = headers.get("traceparent");
  const [, traceId, spanId, flags] = (header === null ? null : TRACEPARENT.exec(header)) ?? [];
  if (flags === undefined) return NOTHING;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * The caller's trace by the first form that names one: `b3`, `X-B3-*`, `traceparent`. A decision
 * without ids, such as `b3: 0`, goes before that of a later form.
 */
export function readTraceHeaders(headers: Headers): CallerTrace {
  const single = singleB3(headers);
  if (single.traceId !== undefined) return single;
  const multi = multiB3(headers);
  const { traceId, spanId, sampled } = multi.traceId === undefined ? w3c(headers) : multi;
  return { traceId, spanId, sampled: single.sampled ?? multi.sampled ?? sampled };
}

/**
 * The decision where the caller made none: the same for the same id, wherever it is asked. The last
 * 56 bits are those that W3C wants random; 52 of them fit a number, and the first of them count.
 */
export function isSampled(traceId: string, probability: number): boolean {
  if (probability >= 1) return true;
  return Number.parseInt(traceId.slice(-14, -1), 16) >= (1 - probability) * 2 ** 52;
}

/** What an answer says of its trace. */
export const traceHeaders = ({ traceId, spanId }: Pick<Trace, "traceId" | "spanId">) => ({
  "X-B3-TraceId": traceId,
  "X-B3-SpanId": spanId,
});

/** What a call to another service carries: both forms, as W3C knows no ids of 16 digits. */
export const callHeaders = (trace: Trace) => ({
  traceparent: `00-${trace.traceId.padStart(32, "0")}-${trace.spanId}-${trace.sampled ? "01" : "00"}`,
  ...traceHeaders(trace),
  "X-B3-Sampled": trace.sampled ? "1" : "0",
});
