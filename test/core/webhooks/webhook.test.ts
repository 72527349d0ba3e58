import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  MAX_ATTEMPTS,
  retryAfterSeconds,
  retryDelaySeconds,
} from "../../../src/core/webhooks/retry-delay.ts";
import {
  webhookBody,
  type WebhookEvent,
  webhookHeaders,
} from "../../../src/core/webhooks/webhook.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const SECRET = `whsec_${btoa("a secret of the tests, of 32 bytes").slice(0, 44)}`;

const EVENT: WebhookEvent = {
  eventId: "5f0c7b1e9a3d4c2f8b6a1d0e9c8f7a6b",
  type: "flag.updated",
  projectId: 1,
  entityId: 12,
  sequence: 9,
  actorKind: "user",
  actorName: "ann@example.com",
  data: { flag: { key: "checkout", name: "Checkout" }, environment: { id: 3 } },
  reason: null,
  createdAt: AT,
};
const bodyOf = (change: Partial<WebhookEvent>) =>
  JSON.parse(webhookBody({ ...EVENT, ...change })) as unknown;

describe("webhookBody", () => {
  test("returns type, timestamp and data, and the data has project, sequence number, actor and entity", () => {
    expect(bodyOf({})).toEqual({
      type: "flag.updated",
      timestamp: "2026-01-02T03:04:05.678Z",
      data: {
        projectId: 1,
        sequence: 9,
        actor: { kind: "user", name: "ann@example.com" },
        flag: { id: 12, key: "checkout", name: "Checkout" },
        environment: { id: 3 },
      },
    });
  });

  test("returns no sequence number for a test webhook", () => {
    const data = { integration: { name: "Deployments" } };
    expect(bodyOf({ type: "integration.test", sequence: null, entityId: 4, data })).toMatchObject({
      type: "integration.test",
      data: { integration: { id: 4, name: "Deployments" } },
    });
    expect(webhookBody({ ...EVENT, sequence: null })).not.toContain("sequence");
  });

  test.each([{}, { flag: null }, { flag: "text" }])(
    "contains the entity's id even if the data of the webhook event has no entity: %j",
    (data) => {
      expect(bodyOf({ data })).toMatchObject({ data: { flag: { id: 12 } } });
    },
  );

  test("describes a change request as changeRequest with its id, also in an event that an earlier release has stored", () => {
    const data = { changeRequest: { title: "More" }, verdict: "approve" };
    expect(bodyOf({ type: "change-request.reviewed", entityId: 7, data })).toMatchObject({
      data: { changeRequest: { id: 7, title: "More" }, verdict: "approve" },
    });
    const stored = webhookBody({ ...EVENT, type: "change-request.closed", data: {} });
    expect(stored).not.toContain('change-request":');
  });

  test("returns the same body for the same webhook event", () => {
    expect(webhookBody(EVENT)).toBe(webhookBody(structuredClone(EVENT)));
  });
});

describe("webhookHeaders", () => {
  const body = webhookBody(EVENT);
  const now = Date.now();
  const headers = webhookHeaders([SECRET], EVENT.eventId, body, now);

  test("returns the headers of Standard Webhooks, with the time in whole seconds", () => {
    expect(headers).toEqual({
      "Content-Type": "application/json",
      "webhook-id": EVENT.eventId,
      "webhook-timestamp": String(Math.floor(now / 1000)),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/) as unknown,
    });
  });

  test("signs id, timestamp and body with HMAC-SHA256", async () => {
    const bytes = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
    const signed = `${EVENT.eventId}.${headers["webhook-timestamp"]}.${body}`;
    const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed));
    expect(headers["webhook-signature"]).toBe(`v1,${Buffer.from(mac).toString("base64")}`);
  });

  test("returns a valid signature for each secret", () => {
    const other = `whsec_${btoa("another secret of 32 bytes......")}`;
    const two = webhookHeaders([other, SECRET], EVENT.eventId, body, now);
    expect(two["webhook-signature"]?.split(" ")[1]).toBe(headers["webhook-signature"]);
    for (const secret of [other, SECRET])
      expect(new Webhook(secret).verify(body, two)).toEqual(bodyOf({}));
  });

  test("returns a signature that is valid only for its secret, id, time and body", () => {
    const verify = (secret: string, text: string, more: object = {}) =>
      new Webhook(secret).verify(text, { ...headers, ...more });
    expect(verify(SECRET, body)).toEqual(bodyOf({}));
    const other = `whsec_${btoa("another secret of 32 bytes......")}`;
    expect(() => verify(other, body)).toThrow(/signature/);
    expect(() => verify(SECRET, `${body} `)).toThrow(/signature/);
    expect(() => verify(SECRET, body, { "webhook-id": "x" })).toThrow(/signature/);
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(() => verify(SECRET, body, { "webhook-timestamp": later })).toThrow(/signature/);
  });
});

describe("retryDelaySeconds", () => {
  const delays = (random: number) =>
    Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => retryDelaySeconds(n + 1, 30, random));

  test("starts at 30 seconds and grows by a factor of 3.5 with each attempt", () => {
    expect(delays(0.5)).toEqual([30, 105, 368, 1286, 4502, 15_757, 55_148]);
  });

  test("spreads 8 attempts over 18 to 26 hours", () => {
    for (const random of [0, 0.5, 1]) {
      const hours = delays(random).reduce((sum, delay) => sum + delay, 0) / 3600;
      expect(hours).toBeGreaterThan(18);
      expect(hours).toBeLessThan(26);
    }
  });

  test("varies by up to 10 %, and never exceeds the queue's limit of 86,400 seconds", () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true });
    const property = fc.property(fc.integer({ min: 1, max: 20 }), random, (attempts, at) => {
      const delay = retryDelaySeconds(attempts, 30, at);
      const exact = 30 * 3.5 ** (attempts - 1);
      expect(Number.isInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(Math.min(Math.floor(exact * 0.9), 86_400));
      expect(delay).toBeLessThanOrEqual(Math.min(Math.ceil(exact * 1.1), 86_400));
    });
    fc.assert(property);
    expect(retryDelaySeconds(2, 30, 0)).toBeLessThan(retryDelaySeconds(2, 30, 1));
  });

  test("returns 0 when the base delay is 0", () => {
    expect(retryDelaySeconds(3, 0, 0.5)).toBe(0);
  });
});

describe("retryAfterSeconds", () => {
  const now = Date.UTC(2026, 10, 28, 12, 0, 0, 1);

  test.each([
    ["20", 20],
    ["0", 0],
    ["Sat, 28 Nov 2026 12:00:30 GMT", 30],
    ["Saturday, 28-Nov-26 12:00:30 GMT", 30],
    ["Sat Nov 28 12:00:30 2026", 30],
    ["86401", 86_400],
    ["9".repeat(400), 86_400],
    ["Sat, 28 Nov 2043 12:00:30 GMT", 86_400],
  ])("reads seconds and the three date formats, up to a day: %s is %d", (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  test.each([
    null,
    "",
    "-5",
    "1.5",
    "soon",
    "20 s",
    "2026-11-28",
    "Sat",
    "Sat, 28 Nov 2026 11:59:30 GMT",
  ])("returns 0 for a header that is missing or malformed, or whose date is past: %j", (header) => {
    expect(retryAfterSeconds(header, now)).toBe(0);
  });
});
