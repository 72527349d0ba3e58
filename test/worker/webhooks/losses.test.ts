import { createMessageBatch, getQueueResult, createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../../src/worker.ts";
import { beginDeliveries } from "../../../src/jobs/webhooks/deliver.ts";
import { markDeadDeliveries } from "../../../src/jobs/webhooks/dead-letters.ts";
import { relayLost, relay } from "../../../src/jobs/webhooks/relay.ts";
import { watchedDatabase } from "../support/call-with.ts";
import { broken, deliveryRow, newDeliveries, ok, unrelayed, world } from "./support.ts";

const MINUTE_MS = 60_000;
const handed = (queue: readonly { body: { deliveryId: number } }[], ids: readonly number[]) =>
  queue.map(({ body }) => body.deliveryId).filter((id) => ids.includes(id));

describe("a webhook delivery", () => {
  it("reaches the receiver when the Worker stops between the commit and the queue", async () => {
    const { ids } = await newDeliveries(3);
    const { deps, queue, received, deliver } = world(ok);
    await relayLost(deps);
    expect(handed(queue, ids)).toEqual(ids);
    await deliver(ids);
    expect(received).toHaveLength(3);
    await relayLost(deps);
    expect(handed(queue, ids)).toEqual(ids);
  });

  it("reaches the receiver when the Worker stops during an attempt", async () => {
    const { ids } = await newDeliveries(1);
    const { deps, queue, received, wait, deliver } = world(ok);
    await relay(deps);
    await beginDeliveries(deps, ids);
    wait(3 * MINUTE_MS);
    await relayLost(deps);
    expect(handed(queue, ids)).toEqual([...ids, ...ids]);
    await deliver(ids);
    expect(received).toHaveLength(1);
    expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "succeeded" });
  });

  it("is sent to the queue with the next change when the queue was down", async () => {
    const { ids, flags } = await newDeliveries(1);
    const { deps, queue } = world(ok);
    deps.webhooks.queue.send = async () => {
      throw new Error("the queue is unavailable");
    };
    await expect(relay(deps)).rejects.toThrow("the queue is unavailable");
    const again = world(ok);
    await unrelayed("PUT", `flags/${flags[0].id}`, { name: "Another" });
    await relay(again.deps);
    expect(handed(queue, ids)).toEqual([]);
    const { relayed_at: relayedAt } = await deliveryRow(ids[0] ?? 0);
    expect(relayedAt).not.toBeNull();
  });

  it("is sent to the queue again, once, when the queue loses a retry", async () => {
    const { ids } = await newDeliveries(1);
    const { deps, queue, wait, deliverTimes } = world(broken);
    await relay(deps);
    await deliverTimes(1, ids);
    wait(3 * MINUTE_MS);
    const before = handed(queue, ids).length;
    await relayLost(deps);
    expect(handed(queue, ids)).toHaveLength(before + 1);
    await relayLost(deps);
    expect(handed(queue, ids)).toHaveLength(before + 1);
  });

  it("is marked dead without a ninth attempt when the dead-letter queue loses its message", async () => {
    const { ids } = await newDeliveries(1);
    const { dead, received, deliver, deliverTimes, bury } = world(broken);
    await deliverTimes(8, ids);
    dead.length = 0;
    await deliver(ids);
    expect(handed(dead, ids)).toEqual(ids);
    expect(received).toHaveLength(8);
    await bury();
    expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "dead" });
  });

  it("stays pending when its message reaches the dead-letter queue while attempts are left", async () => {
    const { ids } = await newDeliveries(1);
    const { deps } = world(ok);
    await markDeadDeliveries(deps, [{ deliveryId: ids[0] ?? 0, traceId: "" }]);
    expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "pending" });
  });
});

describe("a webhook delivery in the queue", () => {
  it("is sent once when the queue delivers its message several times, also concurrently", async () => {
    const { ids } = await newDeliveries(2);
    const { received, deliver } = world(ok);
    await Promise.all([deliver(ids), deliver(ids), deliver(ids)]);
    await deliver(ids);
    expect(received).toHaveLength(2);
  });

  it("is not attempted again before its retry delay is over", async () => {
    const { ids } = await newDeliveries(1);
    const { received, deliver } = world(broken);
    await deliver(ids);
    await deliver(ids);
    expect(received).toHaveLength(1);
  });
});

describe("a fault in one of ten webhook deliveries", () => {
  it("fails only the attempt of that delivery when a webhook secret cannot be decrypted", async () => {
    const { ids } = await newDeliveries(10);
    const { deps, received, queue } = world(ok);
    let opened = 0;
    const opens: typeof deps.vault = {
      ...deps.vault,
      open: async (sealed) => {
        opened += 1;
        if (opened === 4) throw new Error("sealed with another key");
        return deps.vault.open(sealed);
      },
    };
    const attempts = await beginDeliveries({ ...deps, vault: opens }, ids);
    await attempts();
    expect(received).toHaveLength(9);
    expect(queue).toHaveLength(1);
  });

  it("leads to a second request of only that delivery when the result of its attempt cannot be recorded", async () => {
    const { ids } = await newDeliveries(10);
    const { deps, received, faults, queue, wait, deliver } = world(ok);
    await relay(deps);
    let recorded = 0;
    const record: typeof deps.record = (statements) => {
      recorded += 1;
      if (recorded === 5) throw new Error("the database is unavailable");
      return deps.record(statements);
    };
    const attempts = await beginDeliveries({ ...deps, record }, ids);
    await attempts();
    expect(faults).toHaveLength(1);
    wait(3 * MINUTE_MS);
    queue.length = 0;
    await relayLost(deps);
    const [lost] = handed(queue, ids);
    expect(handed(queue, ids)).toHaveLength(1);
    await deliver([lost ?? 0]);
    const calls = received.map(({ headers }) => headers.get("webhook-id"));
    expect(calls).toHaveLength(11);
    expect(new Set(calls).size).toBe(10);
  });

  it("makes the queue retry only the message of that delivery when its database queries fail", async () => {
    const { ids } = await newDeliveries(10);
    // Uses a loopback address, which the service rejects, so that this test sends no request.
    await env.DB.prepare("UPDATE integrations SET url = 'https://127.0.0.1/'").run();
    const bad = ids[6];
    const messages = ids.map((deliveryId) => ({
      id: String(deliveryId),
      timestamp: new Date(),
      attempts: 1,
      body: { deliveryId, traceId: "" },
    }));
    const batch = createMessageBatch("feature-flags-webhooks", messages);
    let asked = 0;
    const DB = watchedDatabase((_, values) => {
      asked += 1;
      const lists = values.flat().filter((value) => /^\[[\d,]+\]$/.test(String(value)));
      if (lists.some((list) => (JSON.parse(String(list)) as number[]).includes(bad ?? 0)))
        throw new Error("the database is unavailable");
    });
    const context = createExecutionContext();
    await worker.queue(batch, { ...env, DB }, context);
    const result = await getQueueResult(batch, context);
    expect(asked).toBeGreaterThan(1);
    expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual([String(bad)]);
    expect(result.explicitAcks).toHaveLength(9);
  });
});
