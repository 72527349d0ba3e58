import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import type { BulkResult } from "../../changes/bulk.ts";
import { tag } from "./schema.ts";

/** The greatest number of flags in one bulk change. A page of a list of flags has at most as many. */
const MAX_FLAGS = 200;

export const bulkTarget = z.object({
  id,
  version: z.int().min(0).optional().openapi({
    description:
      "If given, the flag must have this version (to change its strategy: the strategy in the environment), else 412",
  }),
});

/** Returns the schema of the flags of a bulk change. */
export const listOfTargets = <T extends z.ZodType<{ id: number }>>(target: T) =>
  z
    .array(target)
    .min(1, "must name a flag")
    .max(MAX_FLAGS, `must have at most ${MAX_FLAGS} flags`)
    .refine((flags) => new Set(flags.map((flag) => flag.id)).size === flags.length, {
      message: "must not name a flag twice",
    });

export const bulkTargets = listOfTargets(bulkTarget);

const archiving = z.object({
  projectId: id,
  action: z.enum(["archive", "unarchive"]),
  flags: bulkTargets,
});
const tagging = z.object({
  projectId: id,
  action: z.enum(["tag", "untag"]),
  tag,
  flags: bulkTargets,
});

export const bulkChangeRequest = z
  .discriminatedUnion("action", [archiving, tagging], {
    error: "must be archive, unarchive, tag or untag",
  })
  .openapi("ChangeFlags", {
    example: { projectId: 1, action: "archive", flags: [{ id: 12, version: 3 }, { id: 13 }] },
  });

export const bulkResultResponse = z
  .object({
    changed: z.array(id).openapi({ description: "The flags that the request has changed" }),
    unchanged: z.array(id).openapi({ description: "The flags that already were as requested" }),
  })
  .openapi("BulkResult", { example: { changed: [12], unchanged: [13] } });

export const toBulkResult = ({
  changed,
  unchanged,
}: BulkResult): z.infer<typeof bulkResultResponse> => ({
  changed: [...changed],
  unchanged: [...unchanged],
});
