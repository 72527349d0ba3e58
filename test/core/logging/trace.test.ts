import { describe, expect, it } from "vitest";
import { callHeaders, isSampled, readTraceHeaders } from "../../../src/core/logging/trace.ts";

const LONG = "463ac35c9f6413ad48485a3953bb6124";
const SHORT = "a2fb4a1d1a96d312";
const SPAN = "0020000000000001";
const PARENT = "05e3ac9a4f6e3b90";

const told = (headers: Record<string, string>) => readTraceHeaders(new Headers(headers));

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
  ])("of %s is understood", (b3, expected) => {
    expect(told({ b3 })).toEqual(expected);
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
  ])("of %j tells nothing", (b3) => {
    expect(told({ b3 })).toEqual({});
  });
});

describe("B3 in several headers", () => {
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
  ])("and %j decide %s", (more, sampled) => {
    expect(told({ ...ids, ...more })).toEqual({ traceId: LONG, spanId: SPAN, sampled });
  });

  it.each(["", "0".repeat(16), `${SPAN}0`, "<script>"])(
    "continue a trace whose span %j is none",
    (spanId) => {
      const found = told({ "X-B3-TraceId": SHORT, "X-B3-SpanId": spanId });
      expect(found).toEqual({ traceId: SHORT });
    },
  );

  it("may tell a decision and no ids", () => {
    expect(told({ "X-B3-Sampled": "0" })).toEqual({ sampled: false });
  });
});

describe("a traceparent", () => {
  it.each([
    ["01", true],
    ["00", false],
    ["03", true],
    ["fe", false],
  ])("with the flags %s decides %s", (flags, sampled) => {
    const traceparent = `00-${LONG}-${SPAN}-${flags}`;
    expect(told({ traceparent })).toEqual({ traceId: LONG, spanId: SPAN, sampled });
  });
});

describe("of several forms", () => {
  const b3 = `${SHORT}-${SPAN}-0`;
  const multi = { "X-B3-TraceId": LONG, "X-B3-SpanId": PARENT, "X-B3-Sampled": "1" };
  const traceparent = `00-${LONG.replace("4", "5")}-${SPAN}-01`;

  it("b3 is the first, then the several headers, then traceparent", () => {
    expect(told({ b3, ...multi, traceparent })).toMatchObject({ traceId: SHORT, sampled: false });
    expect(told({ ...multi, traceparent })).toMatchObject({ traceId: LONG, spanId: PARENT });
  });

  it("one that is malformed makes room for the next", () => {
    expect(told({ b3: "garbage", ...multi })).toMatchObject({ traceId: LONG });
    const found = told({ b3: "garbage", "X-B3-TraceId": "0", traceparent });
    expect(found).toMatchObject({ traceId: LONG.replace("4", "5"), sampled: true });
  });

  it("a decision without ids goes before that of a later one", () => {
    expect(told({ b3: "0", ...multi })).toMatchObject({ traceId: LONG, sampled: false });
    expect(told({ "X-B3-Sampled": "0", traceparent })).toMatchObject({ sampled: false });
  });

  it("ids without a decision do not borrow that of another trace", () => {
    expect(told({ b3: `${SHORT}-${SPAN}`, traceparent }).sampled).toBeUndefined();
  });
});

describe("sampling", () => {
  const ids = Array.from({ length: 4_000 }, (_, n) => {
    const tail = Math.imul(n, 0x9e3779b1) >>> 0;
    return `${LONG.slice(0, 18)}${tail.toString(16).padStart(8, "0")}${"0".repeat(6)}`;
  });
  const sampled = (probability: number) => ids.filter((id) => isSampled(id, probability));

  it("takes all at 1, none at 0, and that share of the ids in between", () => {
    expect(sampled(1)).toHaveLength(4_000);
    expect(sampled(0)).toEqual([]);
    expect(sampled(0.25).length).toBeGreaterThan(900);
    expect(sampled(0.25).length).toBeLessThan(1_100);
    expect(isSampled("f".repeat(32), 0)).toBe(false);
    expect(isSampled("f".repeat(32), 1e-9)).toBe(true);
  });

  it("decides by the id: the same each time, and whoever takes more takes these too", () => {
    const few = sampled(0.1);
    expect(sampled(0.1)).toEqual(few);
    expect(sampled(0.5)).toEqual(expect.arrayContaining(few));
  });

  it("decides by the tail, so a short id is judged as the long one that ends with it", () => {
    for (const id of ids.slice(0, 100))
      expect(isSampled(id.slice(-16), 0.5)).toBe(isSampled(id, 0.5));
  });
});

describe("a call to another service", () => {
  it("carries the trace in both forms", () => {
    const trace = { traceId: LONG, spanId: SPAN, parentSpanId: undefined, sampled: true };
    expect(callHeaders(trace)).toEqual({
      traceparent: `00-${LONG}-${SPAN}-01`,
      "X-B3-TraceId": LONG,
      "X-B3-SpanId": SPAN,
      "X-B3-Sampled": "1",
    });
  });

  it("fills up a short id for W3C, which knows none", () => {
    const trace = { traceId: SHORT, spanId: SPAN, parentSpanId: undefined, sampled: false };
    expect(callHeaders(trace)).toMatchObject({
      traceparent: `00-${"0".repeat(16)}${SHORT}-${SPAN}-00`,
      "X-B3-TraceId": SHORT,
      "X-B3-Sampled": "0",
    });
  });
});
