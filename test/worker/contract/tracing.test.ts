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
const SHORT = "a2fb4a1d1a96d312";

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

  it("continues the trace id of X-B3-TraceId in lower case, with a new span id", async () => {
    const headers = { "X-B3-TraceId": LONG.toUpperCase(), "X-B3-SpanId": SHORT };
    const answer = await call("GET", "/api/v1/flags", { headers });
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
    expect([answer.body.traceId, answer.headers.get("X-B3-TraceId")]).toEqual([LONG, LONG]);
    expect(answer.headers.get("X-B3-SpanId")).not.toBe(SHORT);
  });

  it("gets a new id when the trace headers are invalid", async () => {
    const headers = { "X-B3-TraceId": "garbage", traceparent: `ff-${LONG}-${SHORT}-01` };
    const answer = await call("GET", "/api/v1/flags", { headers });
    expect(answer.headers.get("X-B3-TraceId")).toMatch(FRESH);
    expect(answer.headers.get("X-B3-TraceId")).not.toBe(LONG);
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
