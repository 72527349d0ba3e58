import { z } from "@hono/zod-openapi";
import { storedConstraint } from "../../http/constraint-schema.ts";

export const recordedSegment = z.object({
  name: z.string(),
  description: z.string().nullable(),
  constraints: z.array(storedConstraint),
});
