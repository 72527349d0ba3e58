import { describe, expect, it } from "vitest";
import { callHeaders, isSampled, readTraceHeaders } from "../../../src/core/logging/trace.ts";

const LONG = "463ac35c9f6413ad48485a3953bb6124";
const SHORT = "a2fb4a1d1a96d312";
const SPAN = "0020000000000001";
const PARENT = "05e3ac9a4f6e3b90";

const read = (headers: Record<string, string>) => readTraceHeaders(new Headers(headers));

describe("a b3 header", () => {
  it.each([
    [`${LONG}-${SPAN}`, { traceId: LONG, spanId: SPAN }],
    [`${SHORT}-${SPAN}`, { traceId: SHORT, spanId: SPAN }],
    [`${LONG}-${SPAN}-1`, { traceId: LONG, spanId: SPAN, sampled: true }],
    [`${LONG}-${SPAN}-0`, { traceId: LONG, spanId: SPAN, sampled: false }],
    [`${LONG}-${SPAN}-d`, { traceId: LONG, spanId: SPAN, sampled: true }],
    [`${LONG}-${SPAN}-0-${PARENT}`, { traceId: LONG, spanId: SPAN, sampled: false }],
    [`${LONG.toUpperCase()}-${SPAN}-1`, { traceId: LONG, spanId: SPAN, sampled: true }],
    ["0", { sampled: false }],
    ["1", { sampled: true }],
    ["d", { sampled: true }],
  ])("is parsed: %s", (b3, expected) => {
    expect(read({ b3 })).toEqual(expected);
  });

  it.each([
    "",
    "2",
    "garbage",
    LONG,
    `${"0".repeat(32)}-${SPAN}`,
    `${LONG}-${"0".repeat(16)}`,
    `${LONG}-${SPAN}-2`,
    `${LONG}-${SPAN}-`,
    `${LONG}-${SPAN}-1-${PARENT}-1`,
    `${LONG}-${SPAN}-1-${PARENT}0`,
    `${LONG}0-${SPAN}`,
    `${LONG}-${SPAN}-constructor`,
  ])("is ignored when it is malformed: %j", (b3) => {
    expect(read({ b3 })).toEqual({});
  });
});

describe("the B3 headers X-B3-*", () => {
  const ids = { "X-B3-TraceId": LONG, "X-B3-SpanId": SPAN };

  it.each([
    [{}, undefined],
    [{ "X-B3-Sampled": "1" }, true],
    [{ "X-B3-Sampled": "0" }, false],
    [{ "X-B3-Sampled": "true" }, true],
    [{ "X-B3-Sampled": "maybe" }, undefined],
    [{ "X-B3-Sampled": "constructor" }, undefined],
    [{ "X-B3-Flags": "1", "X-B3-Sampled": "0" }, true],
    [{ "X-B3-Flags": "0" }, undefined],
  ])("with %j result in the sampling decision %s", (more, sampled) => {
    expect(read({ ...ids, ...more })).toEqual({ traceId: LONG, spanId: SPAN, sampled });
  });

  it.each(["", "0".repeat(16), `${SPAN}0`, "<script>"])(
    "continue the trace without a parent span when the span id is malformed: %j",
    (spanId) => {
      const found = read({ "X-B3-TraceId": SHORT, "X-B3-SpanId": spanId });
      expect(found).toEqual({ traceId: SHORT });
    },
  );

  it.each(["", "garbage", "0".repeat(32), LONG.slice(1), `${LONG}0`, `${SHORT},${SHORT}`])(
    "are ignored when the trace id is malformed: %j",
    (traceId) => {
      expect(read({ "X-B3-TraceId": traceId }).traceId).toBeUndefined();
    },
  );

  it("may contain a sampling decision without ids", () => {
    expect(read({ "X-B3-Sampled": "0" })).toEqual({ sampled: false });
  });
});

describe("a traceparent header", () => {
  it.each([
    ["01", true],
    ["00", false],
    ["03", true],
    ["fe", false],
  ])("with the flags %s results in the sampling decision %s", (flags, sampled) => {
    const traceparent = `00-${LONG}-${SPAN}-${flags}`;
    expect(read({ traceparent })).toEqual({ traceId: LONG, spanId: SPAN, sampled });
  });

  it("continues the trace when it has a later version and more fields", () => {
    const traceparent = `cc-${LONG}-${SPAN}-01-what-else`;
    expect(read({ traceparent })).toEqual({ traceId: LONG, spanId: SPAN, sampled: true });
  });

  it.each([
    "garbage",
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${LONG}-${"0".repeat(16)}-01`,
    `00-${LONG.toUpperCase()}-${SPAN}-01`,
    `ff-${LONG}-${SPAN}-01`,
    `00-${LONG}-${SPAN}-01-more`,
    `00-${LONG}-${SPAN}`,
  ])("is ignored when it is malformed: %j", (traceparent) => {
    expect(read({ traceparent }).traceId).toBeUndefined();
  });
});

describe("a request with several trace headers", () => {
  const b3 = `${SHORT}-${SPAN}-0`;
  const multi = { "X-B3-TraceId": LONG, "X-B3-SpanId": PARENT, "X-B3-Sampled": "1" };
  const traceparent = `00-${LONG.replace("4", "5")}-${SPAN}-01`;

  it("continues the trace of the header b3 if it is valid, otherwise of X-B3-*, otherwise of traceparent", () => {
    expect(read({ b3, ...multi, traceparent })).toMatchObject({ traceId: SHORT, sampled: false });
    expect(read({ ...multi, traceparent })).toMatchObject({ traceId: LONG, spanId: PARENT });
  });

  it("falls back to the next header when one is malformed", () => {
    expect(read({ b3: "garbage", ...multi })).toMatchObject({ traceId: LONG });
    const found = read({ b3: "garbage", "X-B3-TraceId": "0", traceparent });
    expect(found).toMatchObject({ traceId: LONG.replace("4", "5"), sampled: true });
  });

  it("takes the sampling decision of the first valid header, even if that header has no ids", () => {
    expect(read({ b3: "0", ...multi })).toMatchObject({ traceId: LONG, sampled: false });
    expect(read({ "X-B3-Sampled": "0", traceparent })).toMatchObject({ sampled: false });
  });

  it("does not combine the ids of one header with the sampling decision of another header", () => {
    expect(read({ b3: `${SHORT}-${SPAN}`, traceparent }).sampled).toBeUndefined();
  });
});

describe("isSampled", () => {
  const ids = Array.from({ length: 4_000 }, (_, n) => {
    const tail = Math.imul(n, 0x9e3779b1) >>> 0;
    return `${LONG.slice(0, 18)}${tail.toString(16).padStart(8, "0")}${"0".repeat(6)}`;
  });
  const sampled = (probability: number) => ids.filter((id) => isSampled(id, probability));

  it("selects all traces at the probability 1, none at 0, and about a quarter at 0.25", () => {
    expect(sampled(1)).toHaveLength(4_000);
    expect(sampled(0)).toEqual([]);
    expect(sampled(0.25).length).toBeGreaterThan(900);
    expect(sampled(0.25).length).toBeLessThan(1_100);
    expect(isSampled("f".repeat(32), 0)).toBe(false);
    expect(isSampled("f".repeat(32), 1e-9)).toBe(true);
  });

  it("always decides the same for a trace id, and selects at 0.5 every id that it selects at 0.1", () => {
    const few = sampled(0.1);
    expect(sampled(0.1)).toEqual(few);
    expect(sampled(0.5)).toEqual(expect.arrayContaining(few));
  });

  it("depends only on the last 16 digits of the trace id", () => {
    for (const id of ids.slice(0, 100))
      expect(isSampled(id.slice(-16), 0.5)).toBe(isSampled(id, 0.5));
  });
});

describe("a call to another service", () => {
  it("has the trace headers of both formats", () => {
    const trace = { traceId: LONG, spanId: SPAN, parentSpanId: undefined, sampled: true };
    expect(callHeaders(trace)).toEqual({
      traceparent: `00-${LONG}-${SPAN}-01`,
      "X-B3-TraceId": LONG,
      "X-B3-SpanId": SPAN,
      "X-B3-Sampled": "1",
    });
  });

  it("pads a trace id of 16 digits with zeros in the W3C header traceparent", () => {
    const trace = { traceId: SHORT, spanId: SPAN, parentSpanId: undefined, sampled: false };
    expect(callHeaders(trace)).toMatchObject({
      traceparent: `00-${"0".repeat(16)}${SHORT}-${SPAN}-00`,
      "X-B3-TraceId": SHORT,
      "X-B3-Sampled": "0",
    });
  });
});
