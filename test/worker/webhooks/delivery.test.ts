import { describe, expect, it } from "vitest";
import { Webhook } from "standardwebhooks";
import { MAX_ATTEMPTS } from "../../../src/core/webhooks/retry-delay.ts";
import { relay, relayLost } from "../../../src/jobs/webhooks/relay.ts";
import { asAdmin } from "../support/outcomes.ts";
import { deliveriesOf } from "../support/receiver.ts";
import { newIntegration, newProject } from "../support/world.ts";
import {
  broken,
  deliveryRow,
  idsOf,
  newDeliveries,
  newUnqueuedFlag,
  ok,
  world,
} from "./support.ts";

const listed = async (integrationId: number) => (await deliveriesOf(integrationId)).items;

describe("a webhook delivery", () => {
  it("is a Standard Webhooks request whose signature the integration's secret verifies", async () => {
    const { projectId, integration, flags, ids } = await newDeliveries(1);
    const { deps, received, deliver } = world(ok);
    await deliver(ids);
    const [call] = received;
    const { secret } = JSON.parse(integration.configJson);
    const headers = Object.fromEntries(call?.headers ?? []);
    expect(new Webhook(secret).verify(JSON.stringify(call?.body), headers)).toMatchObject({
      type: "flag.created",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        projectId,
        sequence: 1,
        actor: { kind: "user" },
        flag: { id: flags[0].id, key: flags[0].key },
      },
    });
    expect(call?.url).toBe("https://receiver.example.com/hook");
    expect(deps.webhooks.limit).toBe(10_000);
    expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "succeeded", attempts: 1 });
  });

  it("has the sequence number of its webhook event: three new flags get 1, 2 and 3", async () => {
    const { ids } = await newDeliveries(3);
    const { received, deliver } = world(ok);
    await deliver(ids);
    const order = received.map(({ body }) => body.data.sequence);
    expect(order.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  });

  it("has the custom headers of its integration", async () => {
    const { id: projectId } = await newProject();
    const config = { url: "https://x.example.com/", headers: { "X-Token": "for the receiver" } };
    const { id } = await newIntegration(projectId, { configJson: JSON.stringify(config) });
    await newUnqueuedFlag(projectId);
    const { received, deliver } = world(ok);
    await deliver(await idsOf(id));
    expect(received.at(-1)?.headers.get("X-Token")).toBe("for the receiver");
  });

  it("is listed with its status, duration and the first 1,000 characters of the response", async () => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver } = world(() => new Response("x".repeat(50_000)));
    await deliver(ids);
    const [item] = await listed(integration.id);
    expect(item).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(item.attemptLog).toEqual([
      {
        at: expect.any(String),
        status: 200,
        durationMs: expect.any(Number),
        response: "x".repeat(1000),
        error: null,
      },
    ]);
  });
});

describe("a webhook delivery that fails", () => {
  it("is attempted 8 times within a day under one webhook-id, and is then dead", async () => {
    const { integration, ids } = await newDeliveries(1);
    const { received, dead, deliver, deliverTimes, bury } = world(broken);
    const delays = await deliverTimes(MAX_ATTEMPTS, ids);
    expect(delays.slice(0, -1)).toEqual([30, 105, 368, 1286, 4502, 15757, 55148]);
    expect(new Set(received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    expect(received).toHaveLength(8);
    expect(dead.map(({ body }) => body.deliveryId)).toEqual(ids);
    expect(await deliveryRow(ids[0] ?? 0)).toMatchObject({ status: "pending" });

    await bury();
    const [item] = await listed(integration.id);
    expect(item).toMatchObject({ status: "dead", attempts: 8 });
    expect(item.attemptLog).toHaveLength(8);
    expect(item.attemptLog[0]).toMatchObject({ status: 500, response: "no" });
    await deliver(ids);
    expect(received).toHaveLength(8);
  });

  it.each([
    ["a redirect", () => Response.redirect("https://127.0.0.1/"), /a redirect \(302\)/],
    [
      "a closed connection",
      () => Promise.reject(new Error("Network connection lost.")),
      /^The receiver refused or closed the connection/,
    ],
    [
      "an unknown host",
      () => Promise.reject(new Error("internal error; reference = ekse9gpsf65ejhplq5fd1o1t")),
      /^The host could not be resolved or reached, or its TLS certificate is not trusted$/,
    ],
    [
      "an unknown host, for which Cloudflare returns 530",
      () => new Response("error code: 1016", { status: 530 }),
      /^The host could not be resolved or reached \(status 530 of Cloudflare\)$/,
    ],
    ["a status of 404", () => new Response(null, { status: 404 }), /returned 404/],
  ])("records the error and stays pending: %s", async (_, answer, error) => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver, queue } = world(answer);
    await deliver(ids);
    const [item] = await listed(integration.id);
    expect(item.attemptLog[0].error).toMatch(error);
    expect(item.status).toBe("pending");
    expect(queue).toHaveLength(1);
  });
});

/** A response with this body, which sends `beginning` and then does what `go` does. */
const responseWith = (
  status: number,
  go: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  beginning = "begun",
) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (beginning !== "") controller.enqueue(new TextEncoder().encode(beginning));
      },
      pull: go,
    }),
    { status },
  );
const breaks = (controller: ReadableStreamDefaultController) =>
  controller.error(new Error("Decompression failed"));
const hangs = () => new Promise<void>(() => {});

describe("a webhook delivery whose response has a body that cannot be read", () => {
  it.each([
    ["breaks off", 200, () => responseWith(200, breaks), "begun"],
    ["breaks at its beginning", 202, () => responseWith(202, breaks, ""), null],
    ["never ends", 200, () => responseWith(200, hangs), "begun"],
    ["never begins", 200, () => responseWith(200, hangs, ""), null],
    [
      "has no end of data",
      200,
      () => responseWith(200, (controller) => controller.enqueue(new Uint8Array(9_000))),
      expect.stringContaining("begun"),
    ],
    ["is not text", 200, () => new Response(`\0${"😀".repeat(600)}`), expect.any(String)],
    ["is missing", 204, () => new Response(null, { status: 204 }), ""],
  ])("succeeds when the status is 2xx and the body %s", async (_, status, answer, response) => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver, queue } = world(answer);
    await deliver(ids);
    const [item] = await listed(integration.id);
    expect(item).toMatchObject({ status: "succeeded", attempts: 1 });
    expect(item.attemptLog).toMatchObject([{ status, response, error: null }]);
    expect(queue).toEqual([]);
  });

  it("records the status and what could be read when the status is not 2xx", async () => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver } = world(() => responseWith(503, breaks));
    await deliver(ids);
    const [item] = await listed(integration.id);
    expect(item.attemptLog).toMatchObject([
      { status: 503, response: "begun", error: "The receiver returned 503" },
    ]);
  });
});

describe("a webhook delivery whose receiver sends Retry-After", () => {
  const MINUTE_MS = 60_000;
  const busy = (status: number, value: string) => () =>
    new Response(null, { status, headers: { "Retry-After": value } });

  it.each([
    [429, "600", 600],
    [503, "600", 600],
    [503, "5", 30],
    [500, "soon", 30],
    [429, "1000000", 86_400],
  ])("of %d with %s is attempted again after %d s", async (status, value, seconds) => {
    const { integration, ids } = await newDeliveries(1);
    const { deps, deliver, queue } = world(busy(status, value));
    const before = deps.now();
    await deliver(ids);
    expect(queue.map(({ delaySeconds }) => delaySeconds)).toEqual([seconds]);
    const [item] = await listed(integration.id);
    expect(Date.parse(item.nextAttemptAt) - before).toBeGreaterThanOrEqual(seconds * 1000);
  });

  it("with a date is not attempted before it, by the queue or by the cron job for lost messages", async () => {
    const { ids } = await newDeliveries(1);
    const date = new Date(Date.now() + 10 * MINUTE_MS).toUTCString();
    const { deps, received, deliver, queue, wait } = world(busy(503, date));
    await relay(deps);
    await deliver(ids);
    const sent = () => queue.filter(({ body }) => body.deliveryId === ids[0]).length;
    expect(sent()).toBe(2);
    wait(9 * MINUTE_MS);
    await deliver(ids);
    await relayLost(deps);
    expect(received).toHaveLength(1);
    expect(sent()).toBe(2);
    wait(2 * MINUTE_MS);
    await relayLost(deps);
    expect(sent()).toBe(3);
    await deliver(ids);
    expect(received).toHaveLength(2);
  });
});

describe("the webhook deliveries of an integration that is switched off", () => {
  const MINUTE_MS = 60_000;
  const enable = (id: number, enabled: boolean) =>
    asAdmin("PUT", `/api/v1/integrations/${id}`, { enabled });
  /** Makes one failed attempt at a delivery. Then its integration is switched off. */
  async function pausedRetry() {
    const { integration, ids } = await newDeliveries(1);
    let answer: () => Response = broken;
    const webhooks = world(() => answer());
    await relay(webhooks.deps);
    await webhooks.deliver(ids);
    await enable(integration.id, false);
    webhooks.wait(40_000);
    const works = () => {
      answer = ok;
    };
    return { ...webhooks, id: integration.id as number, ids, works };
  }
  const HELD = { status: "held", heldReason: "disabled", attempts: 1, nextAttemptAt: null };

  it("are held with the number of attempts made, although the queue still delivers a message", async () => {
    const { id, ids, received, dead, deliver } = await pausedRetry();
    await deliver(ids);
    expect([received.length, dead]).toEqual([1, []]);
    const [item] = await listed(id);
    expect(item).toMatchObject(HELD);
    expect(item.attemptLog).toHaveLength(1);
  });

  it("are listed with the status held, and not with pending", async () => {
    const { id } = await pausedRetry();
    expect(await deliveriesOf(id, "?status=held")).toMatchObject({ totalItems: 1, items: [HELD] });
    expect(await deliveriesOf(id, "?status=pending")).toMatchObject({ totalItems: 0, items: [] });
  });

  it("are not sent to the queue", async () => {
    const { deps, wait, queue, ids } = await pausedRetry();
    const before = queue.length;
    wait(10 * MINUTE_MS);
    await relayLost(deps);
    const sent = queue.slice(before).map(({ body }) => body.deliveryId);
    expect(sent.filter((id) => ids.includes(id))).toEqual([]);
  });

  it("continue with the second attempt when the integration is switched on again", async () => {
    const { id, ids, deps, wait, works, queue, deliver, received } = await pausedRetry();
    await deliver(ids);
    await enable(id, true);
    expect((await listed(id))[0]).toMatchObject({ status: "pending", heldReason: null });
    works();
    wait(MINUTE_MS);
    queue.length = 0;
    await relayLost(deps);
    expect(queue.map(({ body }) => body.deliveryId)).toEqual(expect.arrayContaining(ids));
    await deliver(ids);
    expect(received).toHaveLength(2);
    expect((await listed(id))[0]).toMatchObject({ status: "succeeded", attempts: 2 });
  });

  it.each([
    ["succeeds", ok, { status: "succeeded", heldReason: null, attempts: 1 }],
    ["fails", broken, HELD],
  ])("keep the result of an attempt that is running and then %s", async (_, answer, expected) => {
    const { integration, ids } = await newDeliveries(1);
    const { deliver } = world(async () => {
      await enable(integration.id, false);
      return answer();
    });
    await deliver(ids);
    expect((await listed(integration.id))[0]).toMatchObject(expected);
  });

  it("are dead when the integration was switched off during their last attempt", async () => {
    const { integration, ids } = await newDeliveries(1);
    const { deliverTimes, bury } = world(async (_, nth) => {
      if (nth === MAX_ATTEMPTS) await enable(integration.id, false);
      return broken();
    });
    await deliverTimes(MAX_ATTEMPTS, ids);
    await bury();
    const expected = { status: "dead", heldReason: null, attempts: MAX_ATTEMPTS };
    expect((await listed(integration.id))[0]).toMatchObject(expected);
  });
});
