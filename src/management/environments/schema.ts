import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp } from "../../http/schema.ts";
import type { EnvironmentRow } from "./queries.ts";

export const environmentResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    /** Grows by one with every change that can alter an evaluation here. */
    revision: z.int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Environment");

export const toEnvironment = (row: EnvironmentRow): z.infer<typeof environmentResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  revision: row.revision,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

/** Without `projectId`: the session's project, else the only one there is. */
export const createEnvironmentRequest = z.object({ name, projectId: id.optional() });

export const updateEnvironmentRequest = z.object({ name });
