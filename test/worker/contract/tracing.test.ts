import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { consoleDuring } from "../support/logs.ts";
import { adminToken } from "../support/people.ts";
import { newWorld } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const FRESH = /^[0-9a-f]{32}$/;
const SPAN = /^[0-9a-f]{16}$/;
const LONG = "463ac35c9f6413ad48485a3953bb6124";
const OTHER = "80f198ee56343ba864fe8b2a57d3eff7";
const SHORT = "a2fb4a1d1a96d312";

async function traced(headers: Record<string, string>) {
  const answer = await call("GET", "/api/v1/flags", { headers });
  return { ids: answer.headers, traceId: answer.headers.get("X-B3-TraceId"), answer };
}

describe("the trace of a request", () => {
  it("is returned as a trace id and a span id with every response, even an error or a response without a body", async () => {
    const { apiKey } = await newWorld();
    const token = await adminToken();
    const answers = [
      await call("GET", "/api/v1/auth/me", { token }),
      await call("POST", "/api/v1/auth/logout", { token }),
      await call("GET", "/api/client/features", { token: apiKey }),
      await call("GET", "/api/client/features"),
      await call("PATCH", "/api/v1/flags"),
      await call("GET", "/api/nothing"),
      await call("HEAD", "/api/v1/flags"),
      await call("OPTIONS", "/api/client/features", {
        headers: { Origin: "https://app.test", "Access-Control-Request-Method": "GET" },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 200, 401, 405, 404, 401, 204]);
    for (const { headers } of answers) {
      expect(headers.get("X-B3-TraceId")).toMatch(FRESH);
      expect(headers.get("X-B3-SpanId")).toMatch(SPAN);
    }
  });

  it("has new ids for every request without trace headers", async () => {
    const [one, two] = [await traced({}), await traced({})];
    expect(one.traceId).not.toBe(two.traceId);
    expect(one.ids.get("X-B3-SpanId")).not.toBe(two.ids.get("X-B3-SpanId"));
  });

  it.each([LONG, SHORT, LONG.toUpperCase()])(
    "continues the trace id %s of X-B3-TraceId in lower case, with a new span id",
    async (id) => {
      const { traceId, answer, ids } = await traced({ "X-B3-TraceId": id, "X-B3-SpanId": SHORT });
      expect(traceId).toBe(id.toLowerCase());
      expect(ids.get("X-B3-SpanId")).not.toBe(SHORT);
      expect([outcome(answer), answer.body.traceId]).toEqual(["401 UNAUTHORIZED", traceId]);
    },
  );

  it("comes from the b3 header when X-B3-TraceId and traceparent have other ids", async () => {
    const others = { "X-B3-TraceId": SHORT, traceparent: `00-${LONG}-${SHORT}-01` };
    const { traceId, ids } = await traced({ b3: `${OTHER}-${SHORT}-0`, ...others });
    expect(traceId).toBe(OTHER);
    expect(ids.get("X-B3-SpanId")).not.toBe(SHORT);
  });

  it("continues the trace id of a W3C traceparent", async () => {
    const { traceId } = await traced({ traceparent: `00-${LONG}-${SHORT}-01` });
    expect(traceId).toBe(LONG);
  });

  it("continues the trace id of a traceparent that has a later version and more fields", async () => {
    const { traceId } = await traced({ traceparent: `cc-${LONG}-${SHORT}-01-what-else` });
    expect(traceId).toBe(LONG);
  });

  it("comes from X-B3-TraceId rather than from traceparent, unless X-B3-TraceId is invalid", async () => {
    const traceparent = `00-${LONG}-${SHORT}-01`;
    expect((await traced({ traceparent, "X-B3-TraceId": SHORT })).traceId).toBe(SHORT);
    expect((await traced({ traceparent, "X-B3-TraceId": "garbage" })).traceId).toBe(LONG);
  });

  it.each([
    "",
    "garbage",
    "0".repeat(32),
    LONG.slice(1),
    `${LONG}0`,
    "<script>",
    `${SHORT},${SHORT}`,
  ])("gets a new id when X-B3-TraceId is invalid: %j", async (id) => {
    expect((await traced({ "X-B3-TraceId": id })).traceId).toMatch(FRESH);
  });

  it.each([
    "garbage",
    `00-${"0".repeat(32)}-${SHORT}-01`,
    `00-${LONG}-${"0".repeat(16)}-01`,
    `00-${LONG.toUpperCase()}-${SHORT}-01`,
    `ff-${LONG}-${SHORT}-01`,
    `00-${LONG}-${SHORT}-01-more`,
    `00-${LONG}-${SHORT}`,
  ])("gets a new id when traceparent is invalid: %j", async (traceparent) => {
    const { traceId } = await traced({ traceparent });
    expect(traceId).toMatch(FRESH);
    expect(traceId).not.toBe(LONG);
  });

  it.each([
    "garbage",
    LONG,
    `${"0".repeat(32)}-${SHORT}-1`,
    `${LONG}-${SHORT}-2`,
    `${LONG}-${SHORT}-1-`,
  ])("gets a new id when b3 is invalid: %j", async (b3) => {
    const { traceId } = await traced({ b3 });
    expect(traceId).toMatch(FRESH);
    expect(traceId).not.toBe(LONG);
  });
});

describe("trace sampling", () => {
  /** Whether a GET request logs a span. A span is a log record of the logger `app.trace`. */
  const sampled = async (probability: string, headers: Record<string, string>, path: string) => {
    const vars = {
      MANAGEMENT_TRACING_SAMPLING_PROBABILITY: probability,
      LOGGING_LEVEL_APP: "DEBUG",
    };
    const output = await consoleDuring(() => callWith(vars, "GET", path, { headers }));
    return output.records.some(({ logger }) => logger === "app.trace");
  };

  describe.each(["/api/v1/flags", "/api/client/features", "/v3/api-docs", "/api/nothing"])(
    "of %s",
    (path) => {
      it("follows the sampling decision in the trace headers of the caller", async () => {
        const traceparent = `00-${LONG}-${SHORT}`;
        expect(await sampled("1.0", { b3: "0" }, path)).toBe(false);
        expect(await sampled("1.0", { "X-B3-Sampled": "0" }, path)).toBe(false);
        expect(await sampled("1.0", { traceparent: `${traceparent}-00` }, path)).toBe(false);
        expect(await sampled("0.0", { b3: "d" }, path)).toBe(true);
        const debug = { "X-B3-TraceId": LONG, "X-B3-Flags": "1" };
        expect(await sampled("0.0", debug, path)).toBe(true);
        expect(await sampled("0.0", { traceparent: `${traceparent}-01` }, path)).toBe(true);
      });

      it("follows MANAGEMENT_TRACING_SAMPLING_PROBABILITY when the caller sends no sampling decision", async () => {
        expect(await sampled("1.0", {}, path)).toBe(true);
        expect(await sampled("0.0", {}, path)).toBe(false);
      });

      it("is the same every time for the same trace id", async () => {
        const low = `${"0".repeat(31)}1`;
        const high = "f".repeat(32);
        for (let n = 0; n < 3; n++) {
          expect(await sampled("0.5", { "X-B3-TraceId": low }, path)).toBe(false);
          expect(await sampled("0.5", { "X-B3-TraceId": high }, path)).toBe(true);
        }
      });
    },
  );

  it.each(["", "1.1", "-0.1", "all", "NaN"])(
    "with the invalid probability %j makes a management API request return 503",
    async (probability) => {
      const vars = { MANAGEMENT_TRACING_SAMPLING_PROBABILITY: probability };
      const answer = await callWith(vars, "GET", "/api/v1/flags");
      expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
      expect(answer.body.error).toContain("MANAGEMENT_TRACING_SAMPLING_PROBABILITY");
    },
  );
});
