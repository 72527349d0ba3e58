import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { adminToken, ADMIN } from "../support/people.ts";
import { deliveriesOf, endedDelivery, receiver } from "../support/receiver.ts";
import { time } from "../support/shapes.ts";
import { countedCall } from "../support/statements.ts";
import { newFlag, newIntegration, newProject, newWorld } from "../support/world.ts";

const at = (integration: Json, rest: string) => `/api/v1/integrations/${integration.id}${rest}`;

async function installed(more: object = {}): Promise<Json> {
  return newIntegration((await newProject()).id, more);
}

const addAttempts = (deliveryId: number, count: number) =>
  env.DB.batch(
    Array.from({ length: count }, (_, n) =>
      env.DB.prepare(
        `INSERT INTO delivery_attempts (delivery_id, at, status, duration_ms, response, error)
          VALUES (?, ?, 500, ?, 'no', 'The receiver returned 500')`,
      ).bind(deliveryId, 1_700_000_000_000 + n, n),
    ),
  );

beforeAll(() => {
  receiver();
});

describe("the webhook deliveries of an integration", () => {
  it("are listed with the webhook event in the form that the receiver gets", async () => {
    const integration = await installed();
    const flag = await newFlag(integration.projectId);
    const { items, ...envelope } = await deliveriesOf(integration.id);
    expect(envelope).toEqual({ page: 0, size: 20, totalItems: 1, totalPages: 1 });
    const { key, name, description, flagType } = flag;
    const { valueType, variants, offVariant, valueSchema, prerequisites, clients } = flag;
    const values = { valueType, variants, offVariant, valueSchema, prerequisites, clients };
    expect(items).toEqual([
      {
        id: expect.any(Number),
        webhookId: expect.stringMatching(/^[0-9a-f]{32}$/),
        type: "flag.created",
        status: expect.stringMatching(/^(?:pending|succeeded)$/),
        heldReason: null,
        attempts: expect.any(Number),
        createdAt: time,
        nextAttemptAt: items[0].status === "pending" ? time : null,
        completedAt: items[0].status === "pending" ? null : time,
        request: {
          type: "flag.created",
          timestamp: time,
          data: {
            projectId: integration.projectId,
            sequence: 1,
            actor: { kind: "user", name: ADMIN.email },
            flag: { id: flag.id, key, name, description, flagType, ownerIds: [], ...values },
          },
        },
        attemptLog: expect.any(Array),
      },
    ]);
  });

  it("are listed in pages, newest first, without the deliveries of other integrations", async () => {
    const [integration, other] = [await installed(), await installed()];
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift(await endedDelivery(integration));
      await endedDelivery(other);
    }
    const seen: number[] = [];
    for (let page = 0; page < 3; page++) {
      const answer = await deliveriesOf(integration.id, `?page=${page}&size=2`);
      expect(answer).toMatchObject({ page, size: 2, totalItems: 5, totalPages: 3 });
      seen.push(...answer.items.map(({ id }: Json) => id));
    }
    expect(seen).toEqual(ids);
    expect((await deliveriesOf(integration.id, "?page=9")).items).toEqual([]);
  });

  it("can be filtered by status", async () => {
    const integration = await installed();
    const dead = await endedDelivery(integration, "dead");
    const succeeded = await endedDelivery(integration, "succeeded");
    const idsOf = async (status: string) =>
      (await deliveriesOf(integration.id, `?status=${status}`)).items.map(({ id }: Json) => id);
    expect([await idsOf("dead"), await idsOf("succeeded")]).toEqual([[dead], [succeeded]]);
    expect([await idsOf("pending"), await idsOf("held")]).toEqual([[], []]);
  });

  it.each(["size=0", "size=101", "page=-1", "status=lost", "status="])(
    "return 400 for the invalid query %s",
    async (query) => {
      const answer = await asAdmin("GET", at(await installed(), `/deliveries?${query}`));
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
    },
  );

  it("contain their newest 20 attempts each, newest first", async () => {
    const integration = await installed();
    const [many, few] = [await endedDelivery(integration), await endedDelivery(integration)];
    await addAttempts(many, 25);
    await addAttempts(few, 2);
    const { items } = await deliveriesOf(integration.id);
    const durations = items.map(({ attemptLog }: Json) =>
      attemptLog.map(({ durationMs }: Json) => durationMs),
    );
    expect(durations).toEqual([[1, 0], Array.from({ length: 20 }, (_, n) => 24 - n)]);
    expect(items[0].attemptLog[1]).toEqual({
      at: "2023-11-14T22:13:20.000Z",
      status: 500,
      durationMs: 0,
      response: "no",
      error: "The receiver returned 500",
    });
  });

  it("take as many SQL statements for 100 deliveries as for one", async () => {
    const integration = await installed();
    const cost = async () => {
      const path = at(integration, "/deliveries?size=100");
      const options = { token: await adminToken() };
      const { answer, statements } = await countedCall("GET", path, options);
      return [answer.body.items.length, statements];
    };
    const add = async () => addAttempts(await endedDelivery(integration), 2);
    await add();
    const [, few] = await cost();
    for (let n = 1; n < 100; n++) await add();
    expect(await cost()).toEqual([100, few]);
  });

  it("hide the name of a user from an API key", async () => {
    const { projectId, apiKey } = await newWorld();
    const integration = await newIntegration(projectId);
    await newFlag(projectId);
    const path = at(integration, "/deliveries");
    const [item] = (await call("GET", path, { token: apiKey })).body.items;
    expect(item.request.data.actor).toEqual({ kind: "user", name: null });
    expect(JSON.stringify(item)).not.toContain(ADMIN.email);
  });
});
