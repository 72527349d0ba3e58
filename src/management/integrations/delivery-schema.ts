import { z } from "@hono/zod-openapi";
import { MAX_ATTEMPTS } from "../../core/webhooks/retry-delay.ts";
import { webhookBody } from "../../core/webhooks/webhook.ts";
import { DELIVERY_STATUSES } from "../../db/schema/events.ts";
import { MAX_PAGE_SIZE, pageQuery } from "../../http/paging.ts";
import { eventType } from "./config-schema.ts";
import { id, idParams, iso, isoOrNull, pathId, timestamp } from "../../http/schema.ts";
import {
  type AttemptRow,
  type DeliveryRow,
  HELD_REASONS,
  TEST_EVENT,
} from "../../model/integrations/delivery-queries.ts";

const statusName = z.enum(DELIVERY_STATUSES);

export const deliveryParams = idParams.extend({ deliveryId: pathId("deliveryId") });

export const deliveryQuery = z.object({
  status: statusName.optional(),
  ...pageQuery(MAX_PAGE_SIZE),
});

const attemptResponse = z.object({
  at: timestamp,
  status: z
    .int()
    .nullable()
    .openapi({ description: "The HTTP status of the receiver; `null` if no response arrived" }),
  durationMs: z.int(),
  response: z
    .string()
    .nullable()
    .openapi({
      description:
        "The beginning of the response body, as far as the service could read it; `null` if it could " +
        "read nothing. Only the status decides whether the attempt succeeded.",
    }),
  error: z
    .string()
    .nullable()
    .openapi({ description: "Why the attempt failed; `null` if it succeeded" }),
});

export const deliveryResponse = z
  .object({
    id,
    webhookId: z.string().openapi({ description: "The `webhook-id` header of every attempt" }),
    type: z.union([eventType, z.string()]).openapi({
      description: "The event, or `integration.test` for a test delivery",
    }),
    status: statusName.openapi({
      description:
        "`pending`: waits for its next attempt. `held`: waits for the reason in `heldReason`. " +
        "`succeeded`: the receiver responded with 2xx. `dead`: all attempts since the delivery " +
        "was created or last sent again have failed; a user can send it again. A test delivery " +
        "has only one attempt.",
    }),
    heldReason: z
      .enum(HELD_REASONS)
      .nullable()
      .openapi({
        description:
          "`disabled`: waits until the integration is enabled again. `quota`: waits until the " +
          "project's quota renews or is raised. `null` if the delivery is not held.",
      }),
    attempts: z.int().openapi({
      description: "Number of attempts made since the delivery was created or last sent again",
    }),
    createdAt: timestamp,
    nextAttemptAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    request: z
      .object({ type: z.string(), timestamp, data: z.record(z.string(), z.unknown()) })
      .openapi({ description: "The request body that the receiver gets" }),
    attemptLog: z
      .array(attemptResponse)
      .openapi({ description: "The newest 20 attempts, newest first" }),
  })
  .openapi("Delivery", {
    example: {
      id: 77,
      webhookId: "5f0c7b1e9a3d4c2f8b6a1d0e9c8f7a6b",
      type: "flag.created",
      status: "succeeded",
      heldReason: null,
      attempts: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
      nextAttemptAt: null,
      completedAt: "2026-01-02T03:04:06.012Z",
      request: {
        type: "flag.created",
        timestamp: "2026-01-02T03:04:05.678Z",
        data: {
          projectId: 1,
          sequence: 9,
          actor: { kind: "user", name: "ann@example.com" },
          flag: { id: 12, key: "new-checkout", name: "New checkout" },
        },
      },
      attemptLog: [
        {
          at: "2026-01-02T03:04:05.800Z",
          status: 204,
          durationMs: 212,
          response: "",
          error: null,
        },
      ],
    },
  });

/**
 * Returns a webhook delivery as the API shows it. `people` states whether the caller may see the
 * names of users (see `Visibility`).
 */
export const toDelivery = (
  { row, attempts }: { readonly row: DeliveryRow; readonly attempts: readonly AttemptRow[] },
  { people }: { readonly people: boolean },
): z.infer<typeof deliveryResponse> => ({
  id: row.id,
  webhookId: row.event.eventId,
  type: row.event.type,
  status: row.status,
  heldReason: row.heldReason,
  attempts: attemptsMade(row),
  createdAt: iso(row.createdAt),
  nextAttemptAt: row.status === "pending" ? iso(row.dueAt) : null,
  completedAt: isoOrNull(row.completedAt),
  request: requestOf(row, people),
  attemptLog: attempts.map(({ at, status, durationMs, response, error }) => ({
    at: iso(at),
    status,
    durationMs,
    response,
    error,
  })),
});

/**
 * Returns the number of attempts made at a webhook delivery. Subtracts the start value of the
 * counter, because the counter of a test delivery does not start at 0 (see `insertTest`).
 */
const attemptsMade = ({ attempts, event }: DeliveryRow): number =>
  event.type === TEST_EVENT ? attempts - (MAX_ATTEMPTS - 1) : attempts;

function requestOf({ event }: DeliveryRow, people: boolean) {
  const body = JSON.parse(webhookBody(event)) as z.infer<typeof deliveryResponse>["request"];
  if (people || event.actorKind !== "user") return body;
  return { ...body, data: { ...body.data, actor: { kind: event.actorKind, name: null } } };
}
