import { z } from "@hono/zod-openapi";
import { id, iso, name, timestamp, version } from "../../http/schema.ts";
import { role } from "../shared/role.ts";
import type { ServiceAccountRow } from "../../model/service-accounts/queries.ts";

const EXAMPLE = {
  id: 3,
  name: "Deployment",
  role: "DEVELOPER" as const,
  projectId: 1,
  createdAt: "2026-01-02T03:04:05.678Z",
  version: 1,
};

const OWN_PROJECT =
  "The only project that the account sees. Null: the role applies in all projects";

export const serviceAccountResponse = z
  .object({
    id,
    name: z.string(),
    role,
    projectId: id.nullable().openapi({ description: OWN_PROJECT }),
    createdAt: timestamp,
    version,
  })
  .openapi("ServiceAccount", { example: EXAMPLE });

export const toServiceAccount = (
  row: ServiceAccountRow,
): z.infer<typeof serviceAccountResponse> => ({
  id: row.id,
  name: row.name,
  role: row.role,
  projectId: row.projectId,
  createdAt: iso(row.createdAt),
  version: row.version,
});

export const createServiceAccountRequest = z
  .object({
    name,
    role,
    projectId: id
      .nullable()
      .default(null)
      .openapi({ description: `${OWN_PROJECT}, which only administrators can choose` }),
  })
  .openapi("CreateServiceAccount", {
    example: { name: "Deployment", role: "DEVELOPER", projectId: 1 },
  });

export const updateServiceAccountRequest = z
  .object({
    name: name.optional().openapi({ description: "If absent: unchanged" }),
    role: role.optional().openapi({ description: "If absent: unchanged" }),
  })
  .openapi("UpdateServiceAccount", { example: { role: "VIEWER" } });
