import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp, version } from "../../http/schema.ts";
import type { SharedFilterRow } from "../../model/shared-filters/queries.ts";
import { savedQuery } from "../shared/saved-query.ts";

export const sharedFilterResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    query: z.string(),
    version,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("SharedFilter", {
    example: {
      id: 6,
      projectId: 1,
      name: "Ready to remove",
      query: "stale=true",
      version: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toSharedFilter = (row: SharedFilterRow): z.infer<typeof sharedFilterResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  query: row.query,
  version: row.version,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createSharedFilterRequest = z
  .object({ name, query: savedQuery, projectId: id })
  .openapi("CreateSharedFilter", {
    example: { name: "Ready to remove", query: "stale=true", projectId: 1 },
  });

/** The request body of an update. An omitted field keeps its value. */
export const updateSharedFilterRequest = z
  .object({ name: name.optional(), query: savedQuery.optional() })
  .openapi("UpdateSharedFilter", { example: { name: "Stale" } });
