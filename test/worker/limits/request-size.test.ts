import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { newFlag, newProject, newWorld } from "../support/world.ts";

const DEEPEST = 32;
const HEADERS_LENGTH = 16_384;
const URL_LENGTH = 8_192;

/** Returns a JSON body with this many levels: nested arrays in a field that the API ignores. */
const deep = (levels: number, fields = "") =>
  `{${fields}"deep":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

let path: string;
let apiKey: string;
beforeAll(async () => {
  path = `/api/v1/flags/${(await newFlag((await newProject()).id)).id}`;
  ({ apiKey } = await newWorld());
});

const put = (body: string) => asAdmin("PUT", path, body);
const evaluate = (body: string) => call("POST", "/api/client/evaluate", { token: apiKey, body });
const metrics = (body: string) => call("POST", "/api/client/metrics", { token: apiKey, body });
const login = (body: string) => call("POST", "/api/v1/auth/login", { body });

const READERS = [
  ["the management API", put, '"name":"n",', "200"],
  ["evaluate", evaluate, '"context":{},', "200"],
  ["metrics", metrics, '"evaluations":{},', "202"],
  ["a login", login, "", "400 VALIDATION_ERROR"],
] as const;

describe.each(READERS)("a JSON body for %s", (_, send, fields, accepted) => {
  it("is accepted with 32 levels of nesting, and rejected with 33", async () => {
    expect(outcome(await send(deep(DEEPEST, fields)))).toBe(accepted);
    expect(outcome(await send(deep(DEEPEST + 1, fields)))).toBe("400 BAD_REQUEST");
  });

  it("is rejected with 400 when it has 10,000 levels of objects or arrays, closed or not", async () => {
    for (const body of [
      deep(10_000, fields),
      "[".repeat(10_000),
      '{"a":'.repeat(10_000),
      `${'{"a":['.repeat(10_000)}1${"]}".repeat(10_000)}`,
    ])
      expect(outcome(await send(body))).toBe("400 BAD_REQUEST");
  });

  it("is accepted with any number of brackets inside strings", async () => {
    const text = JSON.stringify("[{".repeat(1_000));
    expect(outcome(await send(`{${fields}"text":${text}}`))).toBe(accepted);
  });
});

describe("the headers of a request", () => {
  /**
   * Sends a request whose header names and values have this many characters in total, including
   * Authorization. Returns the outcome.
   */
  const withHeaders = async (
    length: number,
    send: (options: CallOptions) => ReturnType<typeof call>,
  ) => {
    const token = await adminToken();
    const known = "authorization".length + `Bearer ${token}`.length + "x-filler".length;
    const filler = "x".repeat(Math.max(0, length - known));
    return outcome(await send({ token, headers: { "X-Filler": filler } }));
  };

  it("are rejected above 16,384 characters in total on the management API", async () => {
    const get = (options: CallOptions) => call("GET", path, options);
    expect(await withHeaders(HEADERS_LENGTH, get)).toBe("200");
    expect(await withHeaders(HEADERS_LENGTH + 1, get)).toBe("400 BAD_REQUEST");
  });

  it("are rejected above 16,384 characters in total when there are 200 short headers", async () => {
    const many = Array.from({ length: 200 }, (_, n) => [`X-Filler-${n}`, "x".repeat(80)]);
    const headers = Object.fromEntries(many) as Record<string, string>;
    const answer = await call("GET", path, { token: await adminToken(), headers });
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
  });

  it("are rejected above 16,384 characters in total on public endpoints of the management API", async () => {
    const headers = { "X-Filler": "x".repeat(HEADERS_LENGTH) };
    for (const open of ["login", "refresh", "forgot-password", "mfa/verify"]) {
      const answer = await call("POST", `/api/v1/auth/${open}`, { headers, body: {} });
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
    }
  });

  it("are accepted above 16,384 characters on the client API, where a long Authorization returns 401", async () => {
    const headers = { "X-Filler": "x".repeat(HEADERS_LENGTH) };
    const answer = await call("GET", "/api/client/features", { token: apiKey, headers });
    expect(outcome(answer)).toBe("200");
    const long = await call("GET", "/api/client/features", { token: apiKey.repeat(300) });
    expect(outcome(long)).toBe("401 UNAUTHORIZED");
  });
});

describe("a URL", () => {
  const ofLength = (length: number, start: string) => {
    const whole = `https://flags.test${start}`;
    return start + "x".repeat(length - whole.length);
  };

  it("is rejected above 8,192 characters on the management API", async () => {
    const start = "/api/v1/flags?unknown=";
    expect(outcome(await asAdmin("GET", ofLength(URL_LENGTH, start)))).toBe("200");
    const longer = await asAdmin("GET", ofLength(URL_LENGTH + 1, start));
    expect(outcome(longer)).toBe("400 BAD_REQUEST");
  });

  it("is rejected above 8,192 characters on the client API", async () => {
    const get = (url: string) => call("GET", url, { token: apiKey });
    const start = "/api/client/features?unknown=";
    expect(outcome(await get(ofLength(URL_LENGTH, start)))).toBe("200");
    expect(outcome(await get(ofLength(URL_LENGTH + 1, start)))).toBe("400 BAD_REQUEST");
  });

  it("above 8,192 characters returns 401 when the request has no access token", async () => {
    const answer = await call("GET", ofLength(URL_LENGTH + 1, "/api/v1/flags?unknown="));
    expect(outcome(answer)).toBe("401 UNAUTHORIZED");
  });
});

describe("a body without a login", () => {
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
  const TOO_LARGE = expect.stringMatching(/^The body is larger than \d+ bytes$/);

  it("is rejected above 16 KB on all routes, and above 32 KB for a logout token", async () => {
    const { paths } = (await call("GET", "/v3/api-docs")).body;
    const routes = Object.entries<Json>(paths).flatMap(([at, methods]) =>
      Object.entries<Json>(methods)
        .filter(([, one]) => one["x-permission"] === null && one.requestBody !== undefined)
        .map(([method, one]) => ({ at, method: method.toUpperCase(), body: one.requestBody })),
    );
    expect(routes.length).toBeGreaterThan(15);
    for (const { at, method, body } of routes) {
      const [type = ""] = Object.keys(body.content);
      const size = at.endsWith("/{slug}/logout") ? 32_768 : 16_384;
      const send = async (length: number) => {
        const headers = { "Content-Type": type };
        const answer = await call(method, at, { body: "x".repeat(length), headers });
        return answer.body.error_description ?? answer.body.error;
      };
      expect([at, await send(size + 1)]).toEqual([at, TOO_LARGE]);
      expect([at, await send(size)]).not.toEqual([at, TOO_LARGE]);
    }
  });

  it("is rejected before a form with thousands of fields is parsed, with and without a length", async () => {
    for (const at of ["token", "revoke"])
      for (const body of ["a=&".repeat(300_000), new Blob(["a=&".repeat(300_000)]).stream()]) {
        const answer = await call("POST", `/api/oauth/${at}`, { body, headers: FORM });
        expect([answer.status, answer.body.error_description]).toEqual([400, TOO_LARGE]);
      }
  });
});
