import { z } from "@hono/zod-openapi";
import { constraintResponse } from "../../http/constraint-schema.ts";
import { descriptionText, id, iso, name, timestamp } from "../../http/schema.ts";
import { constraintsRequest } from "../constraints.ts";
import type { SegmentRow } from "./queries.ts";

export const segmentResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    description: z.string().nullable(),
    constraints: z.array(constraintResponse),
    /** Counts the changes; the ETag. */
    version: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Segment");

export const toSegment = (row: SegmentRow): z.infer<typeof segmentResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  constraints: row.constraints.map((constraint) => ({
    ...constraint,
    values: [...constraint.values],
  })),
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createSegmentRequest = z.object({
  name,
  description: descriptionText.optional(),
  constraints: constraintsRequest.default([]),
  projectId: id,
});

/** What is left out stays as it was. */
export const updateSegmentRequest = z.object({
  name: name.optional(),
  description: descriptionText.optional(),
  constraints: constraintsRequest.optional(),
});
