/** B3 propagation (github.com/openzipkin/b3-propagation) and W3C trace context, ids only. */
export interface Trace {
  /** 16 or 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
}

const B3_TRACE_ID = /^(?!0+$)(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Continues the caller's trace where its id is valid, else starts one; the span is always new. */
export function traceOf(header: (name: string) => string | undefined): Trace {
  const b3 = header("X-B3-TraceId");
  if (b3 !== undefined && B3_TRACE_ID.test(b3))
    return { traceId: b3.toLowerCase(), spanId: randomHex(8) };
  const w3c = header("traceparent");
  const traceId = w3c === undefined ? undefined : TRACEPARENT.exec(w3c)?.[1];
  const fresh = randomHex(traceId === undefined ? 24 : 8);
  return { traceId: traceId ?? fresh.slice(16), spanId: fresh.slice(0, 16) };
}

function randomHex(bytes: number): string {
  let hex = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) hex += HEX[byte];
  return hex;
}
