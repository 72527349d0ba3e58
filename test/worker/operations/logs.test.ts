import { describe, expect, it } from "vitest";
import { isLogged } from "../../../src/http/log.ts";
import { outcome } from "../support/answers.ts";
import { consoleDuring } from "../support/logs.ts";
import { adminToken } from "../support/people.ts";
import { newFlag, newWorld } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/wrapped.ts";

const TRACE = "463ac35c9f6413ad48485a3953bb6124";
const PARENT = "a2fb4a1d1a96d312";
const TRACED = { "X-B3-TraceId": TRACE, "X-B3-SpanId": PARENT };

const INFO = { LOGGING_LEVEL_APP: "INFO" };
const DEBUG = { LOGGING_LEVEL_APP: "DEBUG" };

const broken = watchedDatabase(() => {
  throw new Error("the database rests", { cause: new Error("a disk is full") });
});

const recordsOf = async (vars: Partial<Env>, method: string, path: string, options = {}) =>
  (await consoleDuring(() => callWith(vars, method, path, options))).records;

describe("a log record", () => {
  it("is one line of JSON with the contract's fields", async () => {
    const headers = { ...TRACED, "X-B3-Sampled": "0" };
    const token = await adminToken();
    const vars = { ...INFO, DB: broken };
    const [record, ...rest] = await recordsOf(vars, "GET", "/api/v1/flags", { token, headers });
    expect(rest).toEqual([]);
    expect(record).toEqual({
      "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "ERROR",
      logger: "app.http",
      message: expect.stringContaining("the database rests"),
      traceId: TRACE,
      service: "feature-flags",
      stack: expect.stringContaining("\n    at "),
    });
    expect(record.message).toContain("; caused by: a disk is full");
  });

  it("of what was thrown and is no error names the request, too", async () => {
    const withSession = () => {
      // oxlint-disable-next-line no-throw-literal -- what a library might do
      throw "a text";
    };
    const DB = { withSession } as unknown as D1Database;
    const token = await adminToken();
    const output = await consoleDuring(async () => {
      const answer = await callWith({ DB }, "GET", "/api/v1/flags", { token, headers: TRACED });
      expect([answer.status >= 500, answer.body.traceId]).toEqual([true, TRACE]);
    });
    expect(output.records).toMatchObject([
      { level: "ERROR", traceId: TRACE, message: expect.stringContaining("a text") },
    ]);
  });
});

describe("a level", () => {
  it.each([
    ["DEBUG", ["ERROR", "INFO"]],
    ["debug", ["ERROR", "INFO"]],
    ["TRACE", ["ERROR", "INFO"]],
    ["INFO", ["ERROR", "INFO"]],
    ["WARN", ["ERROR"]],
    ["ERROR", ["ERROR"]],
    ["OFF", []],
  ])("of %s writes %j", async (level, levels) => {
    const token = await adminToken();
    const vars = { LOGGING_LEVEL_APP: level, DB: broken };
    const records = await recordsOf(vars, "GET", "/api/v1/flags", { token });
    expect(records.map((record) => record.level)).toEqual(levels);
  });

  it("of the root is for the loggers that are not the application's", async () => {
    const vars = { ...INFO, LOGGING_LEVEL_ROOT: "OFF" };
    expect(await recordsOf(vars, "GET", "/api/nothing")).toHaveLength(1);
    expect([isLogged("INFO", "app.http"), isLogged("ERROR", "library")]).toEqual([true, false]);
    await recordsOf({ LOGGING_LEVEL_APP: "ERROR", LOGGING_LEVEL_ROOT: "DEBUG" }, "GET", "/api/x");
    expect([isLogged("WARN", "app.http"), isLogged("DEBUG", "library")]).toEqual([false, true]);
  });

  it.each(["LOGGING_LEVEL_APP", "LOGGING_LEVEL_ROOT"])(
    "in %s that is none keeps the service from serving",
    async (name) => {
      const output = await consoleDuring(async () => {
        const answer = await callWith({ [name]: "LOUD" }, "GET", "/api/v1/flags");
        expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
        expect(answer.body.error).toContain(name);
      });
      const message = `${name} must be DEBUG, INFO, WARN, ERROR or OFF`;
      expect(output.records[0]).toMatchObject({ level: "ERROR", logger: "app.settings", message });
    },
  );
});

describe("a span", () => {
  it("is left by a sampled request, with the pattern of its route and not the path", async () => {
    const { projectId } = await newWorld();
    const flag = await newFlag(projectId);
    const token = await adminToken();
    const path = `/api/v1/flags/${flag.id}?query=1`;
    const records = await recordsOf(INFO, "GET", path, { token, headers: TRACED });
    expect(records).toEqual([
      {
        "@timestamp": expect.any(String),
        level: "INFO",
        logger: "app.trace",
        message: "GET /api/v1/flags/{id} 200",
        traceId: TRACE,
        service: "feature-flags",
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        parentSpanId: PARENT,
        durationMs: expect.any(Number),
        method: "GET",
        route: "/api/v1/flags/{id}",
        status: 200,
      },
    ]);
  });

  it("names the span of the answer, and no parent where the caller has none", async () => {
    let spanId: string | null = null;
    const output = await consoleDuring(async () => {
      const { headers } = await callWith(INFO, "GET", "/v3/api-docs");
      spanId = headers.get("X-B3-SpanId");
    });
    expect(output.records).toMatchObject([{ spanId, route: "/v3/api-docs", status: 200 }]);
    expect(output.records[0]).not.toHaveProperty("parentSpanId");
  });

  it.each([
    ["PATCH", "/api/v1/flags", "PATCH UNKNOWN 405"],
    ["GET", "/api/v1/flags/1", "GET /api/v1/flags/{id} 401"],
    ["GET", "/api/nothing/463", "GET UNKNOWN 404"],
    ["PURGE", "/api/nothing", "OTHER UNKNOWN 404"],
    ["HEAD", "/swagger-ui.html", "HEAD /swagger-ui.html 200"],
  ])("is left by %s %s, too: %s", async (method, path, message) => {
    const records = await recordsOf(INFO, method, path);
    expect(records.map((record) => record.message)).toEqual([message]);
  });

  it("is not left by a request that is not sampled, but its errors are", async () => {
    const token = await adminToken();
    const headers = { b3: "0" };
    expect(await recordsOf(DEBUG, "GET", "/api/v1/flags", { headers })).toEqual([]);
    const vars = { ...DEBUG, DB: broken };
    const records = await recordsOf(vars, "GET", "/api/v1/flags", { token, headers });
    expect(records.map((record) => record.logger)).toEqual(["app.http"]);
  });

  it("of the client API is for debugging only, whatever its end", async () => {
    const { apiKey: token } = await newWorld();
    const calls = [
      ["GET", "/api/client/features", { token }],
      ["GET", "/api/client/features?since=x", { token }],
      ["GET", "/api/client/features", {}],
      ["DELETE", "/api/client/features", {}],
      ["POST", "/api/client/evaluate", { token, body: { context: {} } }],
    ] as const;
    const messages: string[] = [];
    for (const [method, path, options] of calls) {
      expect(await recordsOf(INFO, method, path, options)).toEqual([]);
      const records = await recordsOf(DEBUG, method, path, options);
      expect(records).toMatchObject([{ level: "DEBUG", logger: "app.trace" }]);
      messages.push(records[0].message);
    }
    expect(messages).toEqual([
      "GET /api/client/features 200",
      "GET /api/client/features 400",
      "GET /api/client/features 401",
      "DELETE UNKNOWN 405",
      "POST /api/client/evaluate 200",
    ]);
  });
});
