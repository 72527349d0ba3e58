import { type Actor, roleIn, ROLES } from "@feature-flags/permissions/permissions";
import { z } from "@hono/zod-openapi";
import { descriptionText, id, iso, name, timestamp } from "../../http/schema.ts";
import { FLAG_CLIENTS } from "../../core/flags/variants.ts";
import { VISIBILITIES } from "../../db/schema/projects.ts";
import { changeResponse, toChange } from "../audit/schema.ts";
import type { ListedProject, ProjectRow } from "../../model/projects/queries.ts";

export const EXAMPLE_PROJECT = {
  id: 1,
  name: "Web shop",
  description: "What customers see",
  staleDays: 40,
  newFlagClients: "all" as const,
  visibility: "everyone" as const,
  ownRole: "DEVELOPER" as const,
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-01-02T03:04:05.678Z",
};

const visibility = z.enum(VISIBILITIES).openapi({
  description:
    "Who learns that the project exists: `everyone` who signs in, or only its `members` and the " +
    "administrators of the organisation. Default: `everyone`",
});

const newFlagClients = z.enum(FLAG_CLIENTS).openapi({
  description: "The `clients` of a new flag whose request names none. Default: `all`",
});

export const projectResponse = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    staleDays: z.int(),
    newFlagClients,
    visibility,
    ownRole: z
      .enum(ROLES)
      .nullable()
      .openapi({
        description:
          "The role of the caller in the project: the higher of the role in the organisation and the " +
          "role as a member. Null for an API key",
      }),
    flagCount: z.int().optional().openapi({
      description:
        "The number of flags, without archived flags. Only in the list with `counts=true`",
    }),
    environmentCount: z.int().optional().openapi({
      description: "The number of environments. Only in the list with `counts=true`",
    }),
    memberCount: z.int().optional().openapi({
      description:
        "The number of users with a role in the project itself. Only in the list with `counts=true`",
    }),
    lastChange: changeResponse
      .nullable()
      .optional()
      .openapi({
        description:
          "Who changed something in the project last, and when. Null if there is no record of a change. " +
          "Only in the list with `counts=true`",
      }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Project", { example: EXAMPLE_PROJECT });

type Counts = Pick<ListedProject, "flagCount" | "environmentCount" | "memberCount" | "lastChange">;

export const toProject = (
  row: ProjectRow & Partial<Counts>,
  reader: Actor,
): z.infer<typeof projectResponse> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  staleDays: row.staleDays,
  newFlagClients: row.newFlagClients,
  visibility: row.visibility,
  ownRole: reader.kind === "user" ? roleIn(reader, row.id) : null,
  ...(typeof row.flagCount === "number" &&
    typeof row.environmentCount === "number" &&
    typeof row.memberCount === "number" && {
      flagCount: row.flagCount,
      environmentCount: row.environmentCount,
      memberCount: row.memberCount,
      lastChange: row.lastChange ? toChange(row.lastChange) : null,
    }),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

/** The maximum of `staleDays`: ten years, which is practically never. */
const MAX_STALE_DAYS = 3650;

const staleDays = z.int().min(1).max(MAX_STALE_DAYS).openapi({
  description: "After how many days without a change a `RELEASE` flag is stale. Default: 40",
});

export const createProjectRequest = z
  .object({
    name,
    description: descriptionText.optional(),
    staleDays: staleDays.optional(),
    newFlagClients: newFlagClients.optional(),
    visibility: visibility.optional(),
  })
  .openapi("CreateProject", {
    example: { name: "Web shop", description: "What customers see" },
  });

/** The request body that updates a project. An omitted field keeps its value. */
export const updateProjectRequest = z
  .object({
    name: name.optional(),
    description: descriptionText.optional(),
    staleDays: staleDays.optional(),
    newFlagClients: newFlagClients.optional(),
    visibility: visibility.optional(),
  })
  .openapi("UpdateProject", { example: { name: "Web shop" } });
