import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { WebhookMessage } from "../../../src/jobs/deps.ts";
import {
  type Leak,
  leak,
  leakingBinding,
  leakingDatabase,
  leakText,
} from "../support/leaking-bindings.ts";
import { consume } from "../support/consume.ts";
import { callsWithSecrets, withLinks } from "../support/calls-with-secrets.ts";
import { consoleDuring } from "../support/logs.ts";
import { adminToken } from "../support/people.ts";
import { type Call, expectCallsLeakNothing, LOUD, expectNoSecrets } from "../support/secrecy.ts";
import { everySecret, type Secrets } from "../support/secrets.ts";
import { signedIn } from "../support/sessions.ts";
import { newFlag, newIntegration, newProject, newWorld, unique } from "../support/world.ts";
import { idsOf, newUnqueuedFlag } from "../webhooks/support.ts";

let secrets: Secrets;
let token: string;

beforeAll(async () => {
  secrets = await everySecret();
  token = await adminToken();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * The secrets that the log recognises by their form. The other secrets can be masked only in the
 * log records of the request that contains them.
 */
function formed(): string[] {
  const { password: _p, currentPassword: _c, totpCode: _t, headerValue: _h, ...rest } = secrets;
  return Object.values(rest);
}

describe("no secret is logged when the database", () => {
  /**
   * The secrets in the path, headers and body of a call. The service checks a token before it reads
   * the body. So when database reads fail, the service never reads the body of a call with a token,
   * and the log cannot contain its secrets.
   */
  function sentWith([, path, { body, headers, ...options }]: Call, readsFail: boolean): string[] {
    const isUnread = readsFail && options.token !== undefined;
    const text = JSON.stringify([decodeURIComponent(path), headers, isUnread ? "" : body]);
    const plain = text.replaceAll("\\", "");
    return Object.values(secrets).filter((secret) => plain.includes(secret.replaceAll("\\", "")));
  }

  const throwing: readonly (readonly [string, (...given: string[]) => Leak])[] = [
    ["an error", leak],
    ["a text", leakText],
  ];

  describe.each(throwing)("throws %s with the secrets of the request", (_kind, thrown) => {
    it.each([
      ["to read", { reads: true, batches: false }],
      ["to write", { reads: false, batches: true }],
      ["to read and to write", { reads: true, batches: true }],
    ])("in attempts %s", async (_how, failing) => {
      secrets = await withLinks(secrets);
      let failed = 0;
      for (const call of await callsWithSecrets(secrets)) {
        const given = [...formed(), ...sentWith(call, failing.reads)];
        const DB = leakingDatabase(failing, thrown(...given));
        const { statuses, levels } = await expectCallsLeakNothing(secrets, [call], { DB });
        const isFailure = (statuses[0] ?? 0) >= 500;
        if (isFailure) failed += 1;
        // The client API logs an unavailable database once, and not with every request.
        const isTold = levels.has("ERROR") || levels.has("WARN");
        expect(isTold || !isFailure || call[1].startsWith("/api/client/")).toBe(true);
      }
      expect(failed).toBeGreaterThan(4);
    });
  });
});

describe("no secret is logged", () => {
  const thrown = () => leak(...formed());

  it("when the KV store fails", async () => {
    const { apiKey, environmentId, keyId } = await newWorld();
    secrets = { ...secrets, apiKey };
    const body = { name: unique("key"), keyType: "SERVER", environmentId };
    const calls: Call[] = [
      ["GET", "/api/client/features", { token: apiKey }],
      ["POST", "/api/v1/api-keys", { token, body }],
      ["DELETE", `/api/v1/api-keys/${keyId}`, { token }],
    ];
    const EDGE = leakingBinding(thrown()) as KVNamespace;
    const { statuses, levels } = await expectCallsLeakNothing(secrets, calls, { EDGE });
    expect(statuses).toEqual([200, 201, 204]);
    expect(levels).toContain("WARN");
  });

  it("when the Durable Object of a session fails", async () => {
    const { token: accessToken, refreshToken } = await signedIn("ADMIN");
    secrets = { ...secrets, accessToken, refreshToken };
    const password = secrets.currentPassword;
    const calls: Call[] = [
      ["POST", "/api/v1/auth/refresh", { body: { refreshToken, password } }],
      ["GET", "/api/v1/auth/sessions", { token: accessToken }],
      ["POST", "/api/v1/auth/logout", { token: accessToken }],
    ];
    const getByName = () => leakingBinding(thrown());
    const REFRESH_FAMILIES = { getByName } as unknown as Env["REFRESH_FAMILIES"];
    const { statuses, levels } = await expectCallsLeakNothing(secrets, calls, { REFRESH_FAMILIES });
    expect(statuses).toEqual([204, 503]);
    expect(levels).toContain("ERROR");
  });

  it("when a Durable Object that hashes passwords fails", async () => {
    const body = { email: "nobody@example.com", password: secrets.currentPassword };
    const calls: Call[] = [["POST", "/api/v1/auth/login", { body }]];
    const getByName = () => leakingBinding(thrown());
    const PASSWORD_HASHERS = { getByName } as unknown as Env["PASSWORD_HASHERS"];
    const { statuses, levels } = await expectCallsLeakNothing(secrets, calls, { PASSWORD_HASHERS });
    expect(statuses).toEqual([503]);
    expect(levels).toContain("ERROR");
  });

  it("when the queues and the Durable Object of usage fail", async () => {
    const { apiKey, projectId } = await newWorld();
    secrets = { ...secrets, apiKey };
    const { key } = await newFlag(projectId);
    await newIntegration(projectId);
    const flag = { key: unique("flag"), name: "A flag", flagType: "RELEASE", projectId };
    const report = { evaluations: { [key]: { t: 1, f: 1 } } };
    const calls: Call[] = [
      ["POST", "/api/v1/flags", { token, body: flag }],
      ["POST", "/api/client/metrics", { token: apiKey, body: report }],
    ];
    const queue = leakingBinding(thrown()) as Queue;
    const getByName = () => leakingBinding(thrown());
    const USAGE_OBJECTS = { getByName } as unknown as Env["USAGE_OBJECTS"];
    const bindings = { WEBHOOKS: queue, USAGE: queue, USAGE_OBJECTS };
    const { statuses, levels } = await expectCallsLeakNothing(secrets, calls, bindings);
    // The isolate keeps the usage until it can be delivered.
    expect(statuses).toEqual([201, 202]);
    expect(levels).toContain("WARN");
  });

  it("when sending an e-mail fails", async () => {
    const email = `${unique("ann")}@example.com`;
    const calls: Call[] = [
      ["POST", "/api/v1/users/invite", { token, body: { email, role: "VIEWER" } }],
      ["POST", "/api/v1/auth/forgot-password", { body: { email: "admin@example.com" } }],
    ];
    const MAIL = leakingBinding(thrown()) as SendEmail;
    const { levels } = await expectCallsLeakNothing(secrets, calls, { MAIL });
    expect(levels).toContain("WARN");
  });
});

describe("no secret of a webhook delivery is logged", () => {
  const traceId = "463ac35c9f6413ad48485a3953bb6124";

  async function delivered(DB: D1Database) {
    const { id: projectId } = await newProject();
    const { webhookSecret: secret, headerValue } = secrets;
    const url = "https://receiver.example.com/hook";
    const headers = { "X-Team": headerValue };
    const { id } = await newIntegration(projectId, {
      configJson: JSON.stringify({ url, secret, headers }),
    });
    await consoleDuring(() => newUnqueuedFlag(projectId));
    const [deliveryId = 0] = await idsOf(id);
    const message: WebhookMessage = { deliveryId, traceId };
    const output = await consoleDuring(() =>
      consume("feature-flags-webhooks", [message], { ...LOUD, DB }),
    );
    return { traces: expectNoSecrets(output, secrets), records: output.records };
  }

  it("when the database is down", async () => {
    const DB = leakingDatabase({ reads: true, batches: true }, leak(...formed()));
    const { traces, records } = await delivered(DB);
    expect(traces).toContain(traceId);
    expect(records.map((record) => record.logger)).toContain("app.jobs");
  });

  it("when the response of the receiver repeats the request, and the database fails to record the attempt", async () => {
    vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
      const sent = Object.fromEntries(new Headers(init.headers));
      return new Response(`${sent["x-team"]} ${JSON.stringify(sent)}`, { status: 500 });
    });
    // The first D1 batch claims the webhook delivery and succeeds. The second D1 batch records the
    // attempt and fails.
    const DB = leakingDatabase({ reads: false, batches: true, after: 1 }, leak(...formed()));
    const { records } = await delivered(DB);
    expect(records.map((record) => record.level)).toContain("WARN");
  });

  it("when fetch throws an error that contains the request headers", async () => {
    vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
      throw new TypeError(`invalid: ${JSON.stringify([...new Headers(init.headers)])}`);
    });
    const { traces } = await delivered(env.DB);
    expect(traces).toEqual([]);
  });
});
