import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp } from "../../http/schema.ts";
import type { TagRow } from "./queries.ts";

export const tagResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    color: z.string(),
    /** Counts the changes; the ETag. */
    version: z.int(),
    createdAt: timestamp,
  })
  .openapi("Tag");

export const toTag = (row: TagRow): z.infer<typeof tagResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  color: row.color,
  version: row.version,
  createdAt: iso(row.createdAt),
});

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a hex colour such as #868e96")
  .openapi({ example: "#868e96" });

export const createTagRequest = z.object({ name, color, projectId: id });

/** What is left out stays as it was. */
export const updateTagRequest = z.object({ name: name.optional(), color: color.optional() });
