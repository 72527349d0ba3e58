import { access } from "../../http/access.ts";
import { json } from "../../http/contract.ts";
import { pageOf } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams } from "../../http/schema.ts";
import { visibilityOf } from "../../access/audit-visibility.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import * as schema from "./delivery-schema.ts";
import * as service from "./delivery-service.ts";

export const deliveries = new Router<ManagementEnv>("Integrations");

deliveries.endpoint(
  "GET /{id}/deliveries",
  {
    operationId: "listDeliveries",
    summary: "List the deliveries of an integration, newest first",
    ...access("integration:read"),
    request: { params: idParams, query: schema.deliveryQuery },
    responses: {
      200: json(pageOf(schema.deliveryResponse).openapi("DeliveryPage"), "A page of deliveries"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const request = { ...c.req.valid("query"), integrationId: c.req.valid("param").id };
    const page = await service.listDeliveries(callOfRequest(c), request);
    const visibility = visibilityOf(c.var.actor);
    const items = page.items.map((item) => schema.toDelivery(item, visibility));
    return c.json({ ...page, items }, 200);
  },
);

deliveries.endpoint(
  "POST /{id}/deliveries/{deliveryId}/redeliver",
  {
    operationId: "redeliver",
    summary: "Send a delivery again, or retry it now",
    description:
      "Sends the event with the same `webhook-id`. A delivery that waits for a retry is retried now " +
      "and keeps its number of attempts. A delivery that has ended gets a full set of attempts, " +
      "counts against the month's quota, and is `held` if the quota is used up. Returns 409 if the " +
      "delivery waits for its first attempt, is being attempted or is held, if the integration is " +
      "disabled, and for test deliveries.",
    ...access("integration:write"),
    request: { params: schema.deliveryParams },
    responses: {
      202: json(schema.deliveryResponse, "The delivery, scheduled again"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const { id: integrationId, deliveryId } = c.req.valid("param");
    const delivery = await service.redeliver(callOfRequest(c), { integrationId, deliveryId });
    return c.json(schema.toDelivery(delivery, visibilityOf(c.var.actor)), 202);
  },
);

deliveries.endpoint(
  "POST /{id}/test",
  {
    operationId: "testIntegration",
    summary: "Send a test delivery and return its result",
    description:
      "Sends the event `integration.test` once. It does not count against the quota. If the " +
      "receiver fails, this call still succeeds; `attemptLog` shows the failed attempt. Returns 409 " +
      "if the integration is disabled.",
    ...access("integration:write"),
    request: { params: idParams },
    responses: {
      200: json(schema.deliveryResponse, "The delivery, with its attempt"),
      ...errors(400, 401, 403, 404, 409),
    },
  },
  async (c) => {
    const delivery = await service.testIntegration(callOfRequest(c), c.req.valid("param"));
    return c.json(schema.toDelivery(delivery, visibilityOf(c.var.actor)), 200);
  },
);
