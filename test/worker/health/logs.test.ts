import { describe, expect, it } from "vitest";
import { isLogged, log } from "../../../src/http/log.ts";
import { outcome } from "../support/outcomes.ts";
import { consoleDuring } from "../support/logs.ts";
import { adminToken } from "../support/people.ts";
import { newFlag, newWorld } from "../support/world.ts";
import { callWith, watchedDatabase } from "../support/call-with.ts";

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
  it("of an error is one line of JSON with the documented fields", async () => {
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

  it("has the trace id of the request when the thrown value is not an Error", async () => {
    const withSession = () => {
      // oxlint-disable-next-line no-throw-literal -- a library might throw a string
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

describe("the allow-list of log fields", () => {
  it("drops a field that it does not contain, such as a password", async () => {
    const fields = { traceId: TRACE, rows: 2, password: "hunter2", stack: "at hunter2" };
    const { records } = await consoleDuring(async () => log("ERROR", "app.jobs", "Done", fields));
    expect(records).toEqual([
      {
        "@timestamp": expect.any(String),
        level: "ERROR",
        logger: "app.jobs",
        message: "Done",
        traceId: TRACE,
        service: "feature-flags",
        rows: 2,
      },
    ]);
  });
});

describe("the log level setting", () => {
  it.each([
    ["DEBUG", ["ERROR", "INFO"]],
    ["debug", ["ERROR", "INFO"]],
    ["TRACE", ["ERROR", "INFO"]],
    ["INFO", ["ERROR", "INFO"]],
    ["WARN", ["ERROR"]],
    ["ERROR", ["ERROR"]],
    ["OFF", []],
  ])("%s writes the log records of the levels %j", async (level, levels) => {
    const token = await adminToken();
    const vars = { LOGGING_LEVEL_APP: level, DB: broken };
    const records = await recordsOf(vars, "GET", "/api/v1/flags", { token });
    expect(records.map((record) => record.level)).toEqual(levels);
  });

  it("LOGGING_LEVEL_ROOT applies only to loggers outside of `app`", async () => {
    const vars = { ...INFO, LOGGING_LEVEL_ROOT: "OFF" };
    expect(await recordsOf(vars, "GET", "/api/nothing")).toHaveLength(1);
    expect([isLogged("INFO", "app.http"), isLogged("ERROR", "library")]).toEqual([true, false]);
    await recordsOf({ LOGGING_LEVEL_APP: "ERROR", LOGGING_LEVEL_ROOT: "DEBUG" }, "GET", "/api/x");
    expect([isLogged("WARN", "app.http"), isLogged("DEBUG", "library")]).toEqual([false, true]);
  });

  it.each(["LOGGING_LEVEL_APP", "LOGGING_LEVEL_ROOT"])(
    "leads to 503 and one logged error when %s has an unknown level",
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

describe("the log record of a span", () => {
  it("contains the pattern of the route, not the path", async () => {
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

  it("contains the span id of the response, and no parent span id when the caller sent none", async () => {
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
  ])("for %s %s has the message: %s", async (method, path, message) => {
    const records = await recordsOf(INFO, method, path);
    expect(records.map((record) => record.message)).toEqual([message]);
  });

  it("is missing when the request is not sampled, although an error of that request is logged", async () => {
    const token = await adminToken();
    const headers = { b3: "0" };
    expect(await recordsOf(DEBUG, "GET", "/api/v1/flags", { headers })).toEqual([]);
    const vars = { ...DEBUG, DB: broken };
    const records = await recordsOf(vars, "GET", "/api/v1/flags", { token, headers });
    expect(records.map((record) => record.logger)).toEqual(["app.http"]);
  });

  it("for a client API request has the level DEBUG, whatever the status", async () => {
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
