import { afterEach, describe, expect, it, vi } from "vitest";
import type { WebhookMessage } from "../../../src/jobs/deps.ts";
import { consume } from "../support/consume.ts";
import { Mailbox } from "../support/mailbox.ts";
import { adminToken } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf } from "../support/records.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const TRACE = "463ac35c9f6413ad48485a3953bb6124";
const SHORT = "a2fb4a1d1a96d312";
const SPAN = /^[0-9a-f]{16}$/;

afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * Creates a flag in a request with this trace id. Returns the response, the audit record and the
 * webhook queue messages of that change.
 */
async function changed(traceId: string) {
  const { id: projectId } = await newProject();
  await newIntegration(projectId);
  const sent: WebhookMessage[] = [];
  const sendBatch = async (messages: readonly { body: WebhookMessage }[]) => {
    sent.push(...messages.map(({ body }) => body));
  };
  const answer = await callWith(
    { WEBHOOKS: { sendBatch } as unknown as Queue },
    "POST",
    "/api/v1/flags",
    {
      token: await adminToken(),
      headers: { "X-B3-TraceId": traceId, "X-B3-SpanId": SHORT },
      body: { key: unique("flag"), name: "A flag", flagType: "RELEASE", projectId },
    },
  );
  expect(answer.status).toBe(201);
  const [record] = await auditOf(answer);
  return { answer, record, messages: sent.filter((message) => message.traceId === traceId) };
}

/** Delivers the webhook queue messages, and returns the requests that the receiver gets. */
async function delivered(messages: readonly WebhookMessage[], vars: Partial<Env> = {}) {
  const calls = receiver();
  await consume("feature-flags-webhooks", messages, vars);
  return calls;
}

describe("the trace of a change", () => {
  it("is in the audit record, the queue message and the request to the webhook receiver", async () => {
    const { answer, record, messages } = await changed(TRACE);
    expect(record.trace_id).toBe(TRACE);
    expect(messages).toHaveLength(1);
    const [call] = await delivered(messages);
    expect(call?.headers.get("X-B3-TraceId")).toBe(TRACE);
    expect(call?.headers.get("X-B3-Sampled")).toBe("1");
    const span = call?.headers.get("X-B3-SpanId");
    expect(span).toMatch(SPAN);
    expect([SHORT, answer.headers.get("X-B3-SpanId")]).not.toContain(span);
    expect(call?.headers.get("traceparent")).toBe(`00-${TRACE}-${span}-01`);
  });

  it("is padded in traceparent when its id has 16 digits, and is not sampled when the probability is 0", async () => {
    const { messages } = await changed(SHORT);
    const vars = { MANAGEMENT_TRACING_SAMPLING_PROBABILITY: "0" };
    const [call] = await delivered(messages, vars);
    expect(call?.headers.get("X-B3-TraceId")).toBe(SHORT);
    expect(call?.headers.get("X-B3-Sampled")).toBe("0");
    const span = call?.headers.get("X-B3-SpanId");
    expect(call?.headers.get("traceparent")).toBe(`00-${"0".repeat(16)}${SHORT}-${span}-00`);
  });
});

describe("the trace of a request", () => {
  const headers = { "X-B3-TraceId": TRACE };

  it("is in the headers of the invitation mail and the password reset mail", async () => {
    const mailbox = new Mailbox();
    const email = `${unique("ann")}@example.com`;
    const token = await adminToken();
    const body = { email, role: "VIEWER" };
    await mailbox.call("POST", "/api/v1/users/invite", { token, headers, body });
    const joining = { token: mailbox.lastToken(email), password: "a good password" };
    await mailbox.call("POST", "/api/v1/auth/accept-invite", { body: joining });
    await mailbox.call("POST", "/api/v1/auth/forgot-password", { headers, body: { email } });
    const mails = mailbox.mails.filter(({ to }) => to === email);
    expect(mails.map((mail) => mail.headers)).toEqual([headers, headers]);
  });
});
