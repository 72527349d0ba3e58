import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import { clients, tag } from "./schema.ts";
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
const showing = z.object({
  projectId: id,
  action: z.literal("clients"),
  clients,
  flags: bulkTargets,
});

export const bulkChangeRequest = z
  .discriminatedUnion("action", [archiving, tagging, showing], {
    error: "must be archive, unarchive, tag, untag or clients",
  })
  .openapi("ChangeFlags", {
    example: { projectId: 1, action: "archive", flags: [{ id: 12, version: 3 }, { id: 13 }] },
  });
