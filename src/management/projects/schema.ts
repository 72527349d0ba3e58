import { z } from "@hono/zod-openapi";
import { descriptionText, id, iso, name, timestamp } from "../../http/schema.ts";
import type { ProjectRow } from "./queries.ts";

export const EXAMPLE_PROJECT = {
  id: 1,
  name: "Web shop",
  description: "What customers see",
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
};

export const projectResponse = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Project", { example: EXAMPLE_PROJECT });

export const toProject = (row: ProjectRow): z.infer<typeof projectResponse> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

export const createProjectRequest = z
  .object({ name, description: descriptionText.optional() })
  .openapi("CreateProject", {
    example: { name: "Web shop", description: "What customers see" },
  });

/** The request body that updates a project. An omitted field keeps its value. */
export const updateProjectRequest = z
  .object({ name: name.optional(), description: descriptionText.optional() })
  .openapi("UpdateProject", { example: { name: "Web shop" } });
