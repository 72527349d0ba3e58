import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp, version } from "../../http/schema.ts";
import type { ListedTag, TagRow } from "../../model/tags/queries.ts";

export const tagResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    color: z.string(),
    flagCount: z.int().optional().openapi({
      description:
        "The number of flags that have the tag, without archived flags. Only in lists with `counts=true`",
    }),
    version,
    createdAt: timestamp,
  })
  .openapi("Tag", {
    example: {
      id: 4,
      projectId: 1,
      name: "checkout",
      color: "#2f9e44",
      flagCount: 7,
      version: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toTag = (
  row: TagRow & Partial<Pick<ListedTag, "flagCount">>,
): z.infer<typeof tagResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  color: row.color,
  ...(typeof row.flagCount === "number" && { flagCount: row.flagCount }),
  version: row.version,
  createdAt: iso(row.createdAt),
});

const color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, "must be a hex colour such as #868e96 or #abc")
  .openapi({ description: "Three or six hex digits. Responses show the colour as it was given." });

export const createTagRequest = z
  .object({ name, color, projectId: id })
  .openapi("CreateTag", { example: { name: "checkout", color: "#2f9e44", projectId: 1 } });

/** The request body that updates a tag. An omitted field keeps its value. */
export const updateTagRequest = z
  .object({ name: name.optional(), color: color.optional() })
  .openapi("UpdateTag", { example: { color: "#2f9e44" } });
