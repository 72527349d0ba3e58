import { z } from "@hono/zod-openapi";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../../http/constraint-schema.ts";
import { listQuery } from "../../http/paging.ts";
import {
  descriptionText,
  id,
  iso,
  name,
  searchText,
  timestamp,
  version,
} from "../../http/schema.ts";
import { constraintsRequest } from "../shared/constraint-request.ts";
import type { ListedSegment, SegmentRow } from "../../model/segments/queries.ts";

export const EXAMPLE_SEGMENT = {
  id: 5,
  projectId: 1,
  name: "Germany and France",
  description: "Where the shop delivers",
  constraints: [EXAMPLE_CONSTRAINT],
  version: 1,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
};

export const segmentsQuery = listQuery("`flagCount`").extend({
  search: searchText
    .optional()
    .openapi({ description: "Only the segments whose name contains this text" }),
});

export const segmentResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    description: z.string().nullable(),
    constraints: z.array(constraintResponse),
    flagCount: z
      .int()
      .optional()
      .openapi({
        description:
          "The number of flags whose strategies or ordered rules use the segment, archived flags included. " +
          "Only in lists with `counts=true`",
      }),
    version,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Segment", { example: EXAMPLE_SEGMENT });

export const toSegment = (
  row: SegmentRow & Partial<Pick<ListedSegment, "flagCount">>,
): z.infer<typeof segmentResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  description: row.description,
  constraints: row.constraints.map((constraint) => ({
    ...constraint,
    values: [...constraint.values],
  })),
  ...(typeof row.flagCount === "number" && { flagCount: row.flagCount }),
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createSegmentRequest = z
  .object({
    name,
    description: descriptionText.optional(),
    constraints: constraintsRequest.default([]),
    projectId: id,
  })
  .openapi("CreateSegment", {
    example: {
      name: "Germany and France",
      description: "Where the shop delivers",
      constraints: [EXAMPLE_CONSTRAINT],
      projectId: 1,
    },
  });

/** The request body that updates a segment. An omitted field keeps its value. */
export const updateSegmentRequest = z
  .object({
    name: name.optional(),
    description: descriptionText.optional(),
    constraints: constraintsRequest.optional(),
  })
  .openapi("UpdateSegment", { example: { constraints: [EXAMPLE_CONSTRAINT] } });
