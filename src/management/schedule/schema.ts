import { z } from "@hono/zod-openapi";
import {
  MAX_LONG_PAGE_SIZE,
  pageOf,
  pageQuery,
  type PageRequest,
  toPage,
} from "../../http/paging.ts";
import { id, idText, instant, isoOrNull, timestamp } from "../../http/schema.ts";
import type { PlannedRow } from "../../model/schedule/queries.ts";

export const listQuery = z.object({
  projectId: idText.optional(),
  flagId: idText.optional().openapi({
    description:
      "Only what changes this flag. Without a period, also its active ramps that wait for somebody",
  }),
  from: instant.optional().openapi({
    type: "string",
    format: "date-time",
    description: "The start of the period, inclusive, with an offset",
  }),
  to: instant.optional().openapi({
    type: "string",
    format: "date-time",
    description: "The end of the period, inclusive, with an offset",
  }),
  ...pageQuery(MAX_LONG_PAGE_SIZE),
});

const ONE_TARGET = "Null for a change request with several operations, or with another target";

const planned = z
  .object({
    kind: z.enum(["change-request", "ramp"]),
    id: id.openapi({ description: "The id of the change request or of the ramp" }),
    projectId: id,
    at: timestamp.nullable().openapi({
      description:
        "When the service applies it, or the next step. Null for a ramp that waits for somebody",
    }),
    title: z.string().nullable().openapi({ description: "Null for a ramp" }),
    flag: z.object({ id, key: z.string() }).nullable().openapi({ description: ONE_TARGET }),
    environment: z.object({ id, name: z.string() }).nullable().openapi({ description: ONE_TARGET }),
    blockedBy: z.string().nullable().openapi({
      description: "Why the service does not apply the change request. Null: it was not refused",
    }),
  })
  .openapi("Planned", {
    example: {
      kind: "change-request",
      id: 7,
      projectId: 1,
      at: "2026-01-02T08:00:00.000Z",
      title: "Half of the users",
      flag: { id: 12, key: "new-checkout" },
      environment: { id: 3, name: "production" },
      blockedBy: null,
    },
  });

export const pageResponse = pageOf(planned).openapi("PlannedPage");

export function toPlannedPage(
  { items, total }: { readonly items: readonly PlannedRow[]; readonly total: number },
  query: PageRequest,
): z.infer<typeof pageResponse> {
  const page = toPage(items.map(toPlanned), query, total);
  return { ...page, items: [...page.items] };
}

const toPlanned = (row: PlannedRow): z.infer<typeof planned> => ({
  kind: row.kind,
  id: row.id,
  projectId: row.projectId,
  at: isoOrNull(row.at),
  title: row.title,
  flag: row.flagId === null || row.flagKey === null ? null : { id: row.flagId, key: row.flagKey },
  environment:
    row.environmentId === null || row.environmentName === null
      ? null
      : { id: row.environmentId, name: row.environmentName },
  blockedBy: row.blockedBy,
});
