import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, name, timestamp, version } from "../../http/schema.ts";
import type { Visibility } from "../../access/audit-visibility.ts";
import { configText, SECRET_MASK, withoutPath } from "./config.ts";
import { changedConfig, eventSubscriptions, newConfig } from "./config-schema.ts";
import {
  INTEGRATION_TYPES,
  type IntegrationRow,
  typeOf,
} from "../../model/integrations/queries.ts";
import type { WebhookLimit } from "./service.ts";

const type = z.enum(INTEGRATION_TYPES).openapi({
  description:
    "`custom_webhook` gets signed requests with the event, `slack` and `microsoft_teams` a message " +
    "for people at the URL of an incoming webhook. Only `custom_webhook` has `secret` and `headers`.",
});

const EXAMPLE = {
  id: 4,
  projectId: 1,
  name: "Deployments",
  enabled: true,
  type: "custom_webhook",
  configJson: `{"url":"https://example.com/hooks/flags","secret":"${SECRET_MASK}","headers":{}}`,
  eventSubscriptionsJson: '["flag.created","flag.updated"]',
  failingSince: null,
  lastSuccessAt: "2026-01-02T03:04:05.678Z",
  switchedOffAt: null,
  version: 1,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
};

export const integrationResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    enabled: z.boolean(),
    type,
    configJson: z.string().openapi({
      description:
        "JSON text with `url`, `secret` and `headers`. The secret is masked, except in the response " +
        "that creates the integration or that moves it to another host with a generated secret. " +
        "Header values are always masked. Callers who may not write integrations see only the " +
        "origin of the URL, such as `https://hooks.example.com/…`.",
    }),
    eventSubscriptionsJson: z.string().openapi({
      description:
        "JSON text: an array of the events (`EventType`) that are sent to the integration",
    }),
    failingSince: timestamp
      .nullable()
      .openapi({ description: "Time of the first failed attempt since the last success" }),
    lastSuccessAt: timestamp.nullable(),
    switchedOffAt: timestamp.nullable().openapi({
      description:
        "When the service switched the integration off: after three days of failed deliveries, or " +
        "after a response with the status 410",
    }),
    version,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Integration", { example: EXAMPLE });

/**
 * Returns an integration as the API shows it. The signing secret is masked if `secret` is omitted.
 * `webhookUrls` states whether the caller may see the whole URL (see `Visibility`).
 */
export const toIntegration = (
  row: IntegrationRow,
  { webhookUrls }: Pick<Visibility, "webhookUrls">,
  secret?: string,
): z.infer<typeof integrationResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  enabled: row.enabled,
  type: typeOf(row),
  configJson: webhookUrls(row.projectId)
    ? configText(row, secret)
    : withoutPath(configText(row, secret)),
  eventSubscriptionsJson: JSON.stringify(row.events),
  failingSince: isoOrNull(row.failingSince),
  lastSuccessAt: isoOrNull(row.lastSuccessAt),
  switchedOffAt: isoOrNull(row.switchedOffAt),
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createIntegrationRequest = z
  .object({
    name,
    enabled: z.boolean(),
    type,
    configJson: newConfig,
    eventSubscriptionsJson: eventSubscriptions,
    projectId: id,
  })
  .openapi("CreateIntegration", {
    example: {
      name: "Deployments",
      enabled: true,
      type: "custom_webhook",
      configJson: '{"url":"https://example.com/hooks/flags"}',
      eventSubscriptionsJson: '["flag.created","flag.updated"]',
      projectId: 1,
    },
  });

/** The request body of an update of an integration. An omitted field keeps its value. */
export const updateIntegrationRequest = z
  .object({
    name: name.optional(),
    enabled: z
      .boolean()
      .optional()
      .openapi({ description: "`true` also clears `failingSince` and `switchedOffAt`" }),
    type: type.optional().openapi({ description: "The type that the integration has" }),
    configJson: changedConfig.optional(),
    eventSubscriptionsJson: eventSubscriptions.optional(),
  })
  .openapi("UpdateIntegration", { example: { enabled: false } });

export const webhookLimitResponse = z
  .object({
    projectId: id
      .nullable()
      .openapi({ description: "The project; `null` if the numbers are sums over all projects" }),
    limit: z.int().openapi({
      description:
        "Deliveries per calendar month (UTC). Every project has the same quota; over all " +
        "projects, the sum of their quotas.",
    }),
    used: z.int(),
    remaining: z.int().openapi({
      description: "At 0, further deliveries of the project are held until `resetsAt`",
    }),
    resetsAt: timestamp,
  })
  .openapi("WebhookLimit", {
    example: {
      projectId: 1,
      limit: 10_000,
      used: 250,
      remaining: 9750,
      resetsAt: "2026-02-01T00:00:00.000Z",
    },
  });

export const toWebhookLimit = ({
  resetsAt,
  ...quota
}: WebhookLimit): z.infer<typeof webhookLimitResponse> => ({ ...quota, resetsAt: iso(resetsAt) });
