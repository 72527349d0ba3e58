import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import { tag } from "./schema.ts";
import { bulkTargets } from "../shared/bulk-schema.ts";

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
