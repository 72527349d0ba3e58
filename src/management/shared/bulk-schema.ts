import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import type { BulkResult } from "../../changes/bulk.ts";

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
