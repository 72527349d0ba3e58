/** Trace context headers: B3 (github.com/openzipkin/b3-propagation) and W3C Trace Context. */

export interface Trace {
  /** The trace id: 16 or 32 lower-case hex digits. */
  readonly traceId: string;
  /** The span id: 16 lower-case hex digits. */
  readonly spanId: string;
  /** The caller's span; undefined when the caller sent none. */
  readonly parentSpanId: string | undefined;
  /**
   * Whether the trace is sampled. A request of a sampled trace logs a span record if the log level
   * allows the record.
   */
  readonly sampled: boolean;
}

/** The trace context in a caller's headers. A malformed part counts as missing. */
export interface CallerTrace {
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly sampled?: boolean | undefined;
}

type Headers = Pick<globalThis.Headers, "get">;

const TRACE_ID = /^(?!0+$)(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/i;
/**
 * The form of the `b3` header: `{trace id}-{span id}-{sampling decision}-{parent span id}`. The
 * last two parts are optional.
 */
const B3 =
  /^(?!0+-)([0-9a-f]{16}|[0-9a-f]{32})-(?!0{16})([0-9a-f]{16})(?:-([01d])(?:-[0-9a-f]{16})?)?$/i;
/**
 * The form of the `traceparent` header. Version `ff` is invalid, and nothing may follow the flags
 * of version `00`.
 */
const TRACEPARENT =
  /^(?!ff|00-.{53})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/**
 * The meanings of a sampling decision: whether to sample. `d` requests debugging, which includes
 * sampling. Old tracers write `true` and `false`.
 */
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
  // Returns before the other headers are read if there is no trace id. Most requests have no B3
  // headers, and reading headers is the slowest part of this function.
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
 * Reads the caller's trace from the first of these headers that has one: `b3`, `X-B3-*`,
 * `traceparent`. A sampling decision without ids (`b3: 0`) overrides the decision of a later
 * header.
 */
export function readTraceHeaders(headers: Headers): CallerTrace {
  const single = singleB3(headers);
  if (single.traceId !== undefined) return single;
  const multi = multiB3(headers);
  const { traceId, spanId, sampled } = multi.traceId === undefined ? w3c(headers) : multi;
  return { traceId, spanId, sampled: single.sampled ?? multi.sampled ?? sampled };
}

/**
 * Whether to sample a trace when the caller made no decision. The result depends only on the trace
 * id, so that all services agree. W3C requires the last 56 bits of the id to be random; the first
 * 52 of these bits fit into a number.
 */
export function isSampled(traceId: string, probability: number): boolean {
  if (probability >= 1) return true;
  return Number.parseInt(traceId.slice(-14, -1), 16) >= (1 - probability) * 2 ** 52;
}

export const traceHeaders = ({ traceId, spanId }: Pick<Trace, "traceId" | "spanId">) => ({
  "X-B3-TraceId": traceId,
  "X-B3-SpanId": spanId,
});

/**
 * Returns the trace headers of a request to another service, in both formats. A trace id of 16
 * digits is padded with zeros in `traceparent`, because W3C trace ids have 32.
 */
export const callHeaders = (trace: Trace) => ({
  traceparent: `00-${trace.traceId.padStart(32, "0")}-${trace.spanId}-${trace.sampled ? "01" : "00"}`,
  ...traceHeaders(trace),
  "X-B3-Sampled": trace.sampled ? "1" : "0",
});
