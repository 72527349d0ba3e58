import { beforeAll, describe, expect, it } from "vitest";
import { adminToken } from "../support/people.ts";
import { type Call, expectCallsLeakNothing } from "../support/secrecy.ts";
import { everySecret, type Secrets } from "../support/secrets.ts";

let secrets: Secrets;
let admin: string;

beforeAll(async () => {
  secrets = await everySecret();
  admin = await adminToken();
});

const forEachSecret = (call: (secret: string) => readonly Call[]) =>
  Object.values(secrets).flatMap(call);

const textual = { "Content-Type": "application/json" };

describe("no secret is logged when a request has", () => {
  it("a secret in malformed JSON", async () => {
    const { statuses } = await expectCallsLeakNothing(
      secrets,
      forEachSecret((secret) => [
        ["POST", "/api/v1/auth/login", { headers: textual, body: `{"password":"${secret}",}` }],
        ["POST", "/api/v1/auth/login", { headers: textual, body: secret }],
        [
          "POST",
          "/api/client/evaluate",
          { token: secrets.apiKey, headers: textual, body: `{${secret}` },
        ],
      ]),
    );
    expect(statuses).toEqual([400]);
  });

  it("a secret in a body with invalid fields", async () => {
    const { statuses } = await expectCallsLeakNothing(
      secrets,
      forEachSecret((secret) => [
        ["POST", "/api/v1/auth/login", { body: { email: [secret], password: { [secret]: 1 } } }],
        ["POST", "/api/v1/auth/refresh", { body: { refreshToken: { secret } } }],
        [
          "POST",
          "/api/v1/integrations",
          { token: admin, body: { configJson: `{"secret":"${secret}` } },
        ],
        [
          "POST",
          "/api/v1/flags",
          { token: admin, body: { key: secret, name: 1, projectId: secret } },
        ],
      ]),
    );
    expect(statuses).toEqual([400]);
  });

  it("a secret together with an unsupported method, content type or path", async () => {
    const { statuses } = await expectCallsLeakNothing(
      secrets,
      forEachSecret((secret) => [
        ["PATCH", "/api/v1/auth/login", { body: { password: secret } }],
        ["DELETE", `/api/client/features?key=${encodeURIComponent(secret)}`, {}],
        ["POST", "/api/v1/auth/login", { headers: { "Content-Type": "text/plain" }, body: secret }],
        ["GET", `/api/v1/${encodeURIComponent(secret)}`, { token: admin }],
        ["GET", `/api/nothing/${encodeURIComponent(secret)}`, {}],
      ]),
    );
    expect(statuses).toEqual([400, 404, 405]);
  });

  it("a secret in the path or the query", async () => {
    const { statuses } = await expectCallsLeakNothing(
      secrets,
      forEachSecret((secret) => [
        ["GET", `/api/v1/flags/${encodeURIComponent(secret)}`, { token: admin }],
        ["DELETE", `/api/v1/auth/sessions/${encodeURIComponent(secret)}`, { token: admin }],
        ["GET", `/api/v1/flags?page=${encodeURIComponent(secret)}`, { token: admin }],
        [
          "GET",
          `/api/client/features?since=${encodeURIComponent(secret)}`,
          { token: secrets.apiKey },
        ],
      ]),
    );
    // One call returns 200, because the six digits of a TOTP code are a valid page number.
    expect(statuses).toEqual([200, 400, 404]);
  });

  it("a secret in a header", async () => {
    const names = [
      "User-Agent",
      "X-Change-Reason",
      "Cookie",
      "If-None-Match",
      "X-D1-Bookmark",
    ].concat(["b3", "X-B3-TraceId", "X-B3-SpanId", "traceparent", "X-App-Name", "X-Request-Id"]);
    const { statuses } = await expectCallsLeakNothing(
      secrets,
      forEachSecret((secret) => {
        const headers = Object.fromEntries(names.map((name) => [name, secret]));
        return [
          ["GET", "/api/v1/projects", { headers: { ...headers, Authorization: secret } }],
          ["GET", "/api/v1/projects", { headers, token: secret }],
          ["GET", "/api/v1/projects", { headers, token: admin }],
          ["GET", "/api/client/features", { headers, token: secrets.apiKey }],
          ["GET", "/api/client/features", { headers: { Authorization: `Bearer ${secret}` } }],
        ];
      }),
    );
    expect(statuses).toEqual([200, 401]);
  });
});
