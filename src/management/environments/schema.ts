import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp } from "../../http/schema.ts";
import type { EnvironmentRow } from "./queries.ts";

export const environmentResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    revision: z.int().openapi({
      description:
        "Grows by one with every change that can alter an evaluation in this environment",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Environment", {
    example: {
      id: 3,
      projectId: 1,
      name: "production",
      revision: 8,
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toEnvironment = (row: EnvironmentRow): z.infer<typeof environmentResponse> => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  revision: row.revision,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createEnvironmentRequest = z
  .object({
    name,
    projectId: id.optional().openapi({
      description:
        "If absent: the project of the session or key, else the only project that exists",
    }),
  })
  .openapi("CreateEnvironment", { example: { name: "production", projectId: 1 } });

export const updateEnvironmentRequest = z
  .object({ name })
  .openapi("UpdateEnvironment", { example: { name: "production" } });
