import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { setStrategy } from "../../../src/management/strategies/service.ts";
import { edgeStore } from "../../../src/platform/bindings/edge-store.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { asAdmin } from "../support/outcomes.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newIntegration, newWorld } from "../support/world.ts";

const TRACE_ID = "80f198ee56343ba864fe8b2a57d3eff7";

/**
 * Creates a flag that is off, and a job `enable` that calls the service function behind
 * `PUT /flags/{flagId}/strategies`. `relayed` holds the messages of the webhook queue.
 */
async function flagAndJob() {
  const { projectId, environmentId, apiKey } = await newWorld();
  const flag = await newFlag(projectId);
  const relayed: unknown[] = [];
  const sendBatch = async (messages: Iterable<unknown>) => {
    relayed.push(...messages);
  };
  const { systemCall } = jobDeps({
    ...env,
    WEBHOOKS: { sendBatch } as unknown as Queue,
  });
  const enable = () =>
    setStrategy(systemCall(TRACE_ID), {
      flagId: flag.id,
      environmentId,
      ifMatch: undefined,
      change: { enabled: true, percentage: 25 },
    });
  return { projectId, environmentId, apiKey, flag, relayed, enable };
}

describe("a job that sets a strategy with the service function of the API route", () => {
  it("writes an audit record whose actor is the system", async () => {
    const { environmentId, flag, enable } = await flagAndJob();
    await enable();
    const query = `entityType=flag&entityId=${flag.id}&action=strategy.updated`;
    const { status, body } = await asAdmin("GET", `/api/v1/audit?${query}`);
    expect(status).toBe(200);
    expect(body.items).toEqual([
      expect.objectContaining({
        action: "strategy.updated",
        category: "change",
        actor: { kind: "system", id: null, name: "service", displayName: null },
        environmentId,
        before: expect.objectContaining({ enabled: false, percentage: 100 }),
        after: expect.objectContaining({ enabled: true, percentage: 25 }),
        reason: null,
        ip: null,
        traceId: TRACE_ID,
      }),
    ]);
  });

  it("changes the rule that SDKs fetch, and the revision of the environment", async () => {
    const { environmentId, apiKey, flag, enable } = await flagAndJob();
    const before = await poll(apiKey);
    const [{ revision } = { revision: 0 }] = (await enable()).revisions;
    const after = await poll(apiKey);
    expect(before.body).toEqual([expect.objectContaining({ key: flag.key, enabled: false })]);
    expect(after.body).toEqual([
      expect.objectContaining({
        key: flag.key,
        enabled: true,
        activation: { rollOut: 25, constraints: [], segments: [] },
      }),
    ]);
    expect(revision).toBe(Number(before.headers.get("X-Revision")) + 1);
    expect(after.headers.get("X-Revision")).toBe(String(revision));
    expect(await edgeStore(env.EDGE).snapshot(environmentId)).toMatchObject({ revision });
  });

  it("sends the webhook queue a message with the id of the delivery", async () => {
    const { projectId, relayed, enable } = await flagAndJob();
    await newIntegration(projectId);
    await enable();
    expect(relayed).toEqual([
      { contentType: "json", body: { deliveryId: expect.any(Number), traceId: TRACE_ID } },
    ]);
  });
});
