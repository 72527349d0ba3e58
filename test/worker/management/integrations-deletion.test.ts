import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { endedDelivery, receiver } from "../support/receiver.ts";
import { newFlag, newIntegration, newProject } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** A webhook queue that rejects every message, so that webhook deliveries stay pending. */
const WEBHOOKS = {
  sendBatch: async () => {
    throw new Error("the queue is unavailable");
  },
} as unknown as Queue;

const remove = async (path: string, replaced: Partial<Env> = { WEBHOOKS }) =>
  callWith(replaced, "DELETE", `/api/v1/${path}`, { token: await adminToken() });

/** The `flag.deleted` webhook deliveries of an integration, read from the database. */
async function flagDeletions(integrationId: number): Promise<Json[]> {
  const { results } = await env.DB.prepare(
    `SELECT d.status, o.sequence, o.entity_id AS flagId FROM webhook_deliveries d
      JOIN outbox o ON o.id = d.event_id
      WHERE d.integration_id = ? AND o.type = 'flag.deleted' ORDER BY d.id`,
  )
    .bind(integrationId)
    .all();
  return results;
}

const countOf = async (table: string, column: string, id: number) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(id).first("n");

async function furnished() {
  const { id: projectId } = await newProject();
  const flags = [await newFlag(projectId), await newFlag(projectId)];
  const integration = await newIntegration(projectId);
  return { projectId: projectId as number, flags, integration };
}

beforeEach(() => {
  receiver();
});

describe("deleting a project", () => {
  it("delivers a flag.deleted event for every flag, with a signature header and the next sequence numbers", async () => {
    const { projectId, flags, integration } = await furnished();
    const calls = receiver();
    expect((await asAdmin("DELETE", `/api/v1/projects/${projectId}`)).status).toBe(204);
    const receivedFlagIds = () => calls.map(({ body }) => JSON.parse(body).data.flag.id);
    await expect.poll(receivedFlagIds).toEqual(expect.arrayContaining(flags.map(({ id }) => id)));
    expect(calls[0]?.headers.get("webhook-signature")).toMatch(/^v1,/);
    const status = "succeeded";
    await expect
      .poll(() => flagDeletions(integration.id))
      .toEqual(flags.map(({ id }, n) => ({ status, sequence: 3 + n, flagId: id })));
  });

  it("creates deliveries only to enabled integrations that subscribe to flag.deleted, and holds those above the monthly quota", async () => {
    const { projectId, integration } = await furnished();
    const deaf = await newIntegration(projectId, { eventSubscriptionsJson: '["flag.created"]' });
    const disabled = await newIntegration(projectId, { enabled: false });
    const limit = `/api/v1/integrations/webhook-limit?projectId=${projectId}`;
    const { used } = (await asAdmin("GET", limit)).body;
    const quota = { QUOTA_WEBHOOK_DELIVERIES: String(used + 1), WEBHOOKS };
    await remove(`projects/${projectId}`, quota);
    const statuses = (await flagDeletions(integration.id)).map(({ status }) => status);
    expect(statuses).toEqual(["pending", "held"]);
    expect([await flagDeletions(deaf.id), await flagDeletions(disabled.id)]).toEqual([[], []]);
  });

  it("hides the integrations of the project at once, on every route", async () => {
    const { projectId, integration } = await furnished();
    const delivery = await endedDelivery(integration);
    await remove(`projects/${projectId}`);
    const path = `/api/v1/integrations/${integration.id}`;
    const calls = [
      ["GET", path],
      ["PUT", path, {}],
      ["DELETE", path],
      ["GET", `${path}/deliveries`],
      ["POST", `${path}/test`],
      ["POST", `${path}/deliveries/${delivery}/redeliver`],
    ] as const;
    for (const [method, to, body] of calls)
      expect(outcome(await asAdmin(method, to, body))).toBe("404 NOT_FOUND");
    const all = (await asAdmin("GET", "/api/v1/integrations")).body;
    expect(all.map(({ id }: Json) => id)).not.toContain(integration.id);
    const ofProject = await asAdmin("GET", `/api/v1/integrations?projectId=${projectId}`);
    expect(ofProject.body).toEqual([]);
  });

  it("creates no flag.deleted delivery when If-Match rejects the deletion", async () => {
    const { projectId, integration } = await furnished();
    const answer = await asAdmin("DELETE", `/api/v1/projects/${projectId}`, undefined, {
      "If-Match": '"99"',
    });
    expect(outcome(answer)).toBe("412 CONFLICT");
    expect(await flagDeletions(integration.id)).toEqual([]);
    expect((await asAdmin("GET", `/api/v1/integrations/${integration.id}`)).status).toBe(200);
  });
});

describe("deleting an integration", () => {
  it("deletes its webhook deliveries and their attempts, but keeps those of a second integration", async () => {
    const { projectId, integration } = await furnished();
    const other = await newIntegration(projectId);
    for (const one of [integration, other]) {
      await endedDelivery(one);
      await asAdmin("POST", `/api/v1/integrations/${one.id}/test`);
    }
    const attempts = async (id: number) =>
      env.DB.prepare(
        `SELECT count(*) AS n FROM delivery_attempts a
          JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.integration_id = ?`,
      )
        .bind(id)
        .first("n");
    expect([await attempts(integration.id), await attempts(other.id)]).toEqual([1, 1]);
    expect((await remove(`integrations/${integration.id}`)).status).toBe(204);
    expect(await countOf("webhook_deliveries", "integration_id", integration.id)).toBe(0);
    expect(await countOf("integrations", "id", integration.id)).toBe(0);
    expect(await countOf("webhook_deliveries", "integration_id", other.id)).toBe(2);
    expect([await attempts(integration.id), await attempts(other.id)]).toEqual([0, 1]);
  });

  it("prevents the attempt of its pending delivery, even when a queue message still names the delivery", async () => {
    const { integration } = await furnished();
    const calls = receiver();
    const id = await endedDelivery(integration);
    const sql = "UPDATE webhook_deliveries SET status = 'pending', attempts = 0 WHERE id = ?";
    await env.DB.prepare(sql).bind(id).run();
    await remove(`integrations/${integration.id}`);
    const attempts = await beginDeliveries(jobDeps(env), [id]);
    await attempts();
    expect(calls).toEqual([]);
  });
});
