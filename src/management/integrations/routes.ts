import { z } from "@hono/zod-openapi";
import { webhookUrlError } from "../../core/webhooks/url.ts";
import { access } from "../../http/access.ts";
import { ifMatchVersions, etagOf } from "../../http/conditional.ts";
import { body, empty, ifMatch, json, listResponse } from "../../http/contract.ts";
import { sliced, sliceQuery } from "../../http/paging.ts";
import { errors } from "../../http/error-contract.ts";
import { Router } from "../../http/router.ts";
import { idParams, idText } from "../../http/schema.ts";
import { visibilityOf } from "../../access/audit-visibility.ts";
import { callOfRequest } from "../../access/call.ts";
import type { ManagementEnv } from "../../access/deps.ts";
import { urlIn } from "./config-schema.ts";
import * as schema from "./schema.ts";
import * as service from "./service.ts";

export const integrations = new Router<ManagementEnv>("Integrations", (given, c) => {
  const url = urlIn(given);
  const message = url === undefined ? url : webhookUrlError(url, c.var.deps.webhooks.allowHttp);
  return message === undefined ? [] : [{ field: "configJson.url", message }];
});

integrations.endpoint(
  "GET /",
  {
    operationId: "listIntegrations",
    summary: "List integrations",
    ...access("integration:read"),
    request: { query: z.object({ projectId: idText.optional(), ...sliceQuery }) },
    responses: {
      200: listResponse(schema.integrationResponse, "The integrations, without their secrets"),
      ...errors(400, 401, 403),
    },
  },
  async (c) => {
    const query = c.req.valid("query");
    const rows = await service.listIntegrations(callOfRequest(c), query);
    const items = sliced(c, rows, query).map((row) =>
      schema.toIntegration(row, visibilityOf(c.var.actor)),
    );
    return c.json(items, 200);
  },
);

integrations.endpoint(
  "POST /",
  {
    operationId: "createIntegration",
    summary: "Create an integration; the response shows its signing secret once",
    ...access("integration:write"),
    request: { body: body(schema.createIntegrationRequest) },
    responses: {
      201: json(schema.integrationResponse, "The integration", "ETag"),
      ...errors(400, 401, 402, 403, 404, 409),
    },
  },
  async (c) => {
    const { row, secret } = await service.createIntegration(callOfRequest(c), c.req.valid("json"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toIntegration(row, visibilityOf(c.var.actor), secret), 201);
  },
);

// Registers this route before `/{id}`, which would match its path too.
integrations.endpoint(
  "GET /webhook-limit",
  {
    operationId: "getWebhookLimit",
    summary: "Read how many webhook deliveries are left this month",
    description:
      "Every project has its own monthly quota. Returns the quota of the project `projectId`, or " +
      "else of the project of the session or API key, or else the sums over all projects.",
    ...access("integration:read"),
    request: { query: z.object({ projectId: idText.optional() }) },
    responses: {
      200: json(schema.webhookLimitResponse, "The quota and its use"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const limit = await service.webhookLimit(callOfRequest(c), c.req.valid("query"));
    return c.json(schema.toWebhookLimit(limit), 200);
  },
);

integrations.endpoint(
  "GET /{id}",
  {
    operationId: "getIntegration",
    summary: "Read an integration",
    ...access("integration:read"),
    request: { params: idParams },
    responses: {
      200: json(schema.integrationResponse, "The integration", "ETag"),
      ...errors(400, 401, 403, 404),
    },
  },
  async (c) => {
    const row = await service.getIntegration(callOfRequest(c), c.req.valid("param"));
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toIntegration(row, visibilityOf(c.var.actor)), 200);
  },
);

integrations.endpoint(
  "PUT /{id}",
  {
    operationId: "updateIntegration",
    summary: "Change an integration",
    description:
      "A replaced signing secret still signs requests for 24 hours: `webhook-signature` then has a " +
      "signature of each. When the host of the URL changes, masked header values and a masked " +
      "secret are rejected. For an omitted secret the service then generates a new one, which only " +
      "this response shows.",
    ...access("integration:write"),
    ...ifMatch,
    request: { params: idParams, body: body(schema.updateIntegrationRequest) },
    responses: {
      200: json(schema.integrationResponse, "The integration", "ETag"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    const input = { ...c.req.valid("json"), id, ifMatch: ifMatchVersions(c) };
    const { row, secret } = await service.updateIntegration(callOfRequest(c), input);
    c.header("ETag", etagOf(row.version));
    return c.json(schema.toIntegration(row, visibilityOf(c.var.actor), secret), 200);
  },
);

integrations.endpoint(
  "DELETE /{id}",
  {
    operationId: "deleteIntegration",
    summary: "Delete an integration and its pending deliveries",
    ...access("integration:write"),
    ...ifMatch,
    request: { params: idParams },
    responses: {
      204: empty("The integration has been deleted"),
      ...errors(400, 401, 403, 404, 409, 412),
    },
  },
  async (c) => {
    const { id } = c.req.valid("param");
    await service.deleteIntegration(callOfRequest(c), { id, ifMatch: ifMatchVersions(c) });
    return c.body(null, 204);
  },
);
