import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import { bulkTargets } from "../flags/bulk-schema.ts";

export const switchFlagsRequest = z
  .object({ environmentId: id, enabled: z.boolean(), flags: bulkTargets })
  .openapi("SwitchFlags", {
    example: { environmentId: 3, enabled: true, flags: [{ id: 12 }, { id: 13, version: 4 }] },
  });
