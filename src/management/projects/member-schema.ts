import { z } from "@hono/zod-openapi";
import { id, idParams, pathId, version } from "../../http/schema.ts";
import { role } from "../shared/role.ts";
import type { MemberRow } from "../../model/projects/member-queries.ts";

export const memberParams = idParams.extend({ userId: pathId("userId") });

const EXAMPLE = {
  userId: 2,
  name: "Ann",
  role: "DEVELOPER" as const,
  organisationRole: "VIEWER" as const,
  version: 1,
};

export const memberResponse = z
  .object({
    userId: id,
    name: z.string(),
    role: role.openapi({ description: "The role as a member of the project" }),
    organisationRole: role.openapi({
      description:
        "The role in the organisation. In the project, the user has the higher of both roles",
    }),
    version,
  })
  .openapi("ProjectMember", { example: EXAMPLE });

export const membersResponse = z.array(memberResponse).openapi({ example: [EXAMPLE] });

export const toMember = (row: MemberRow): z.infer<typeof memberResponse> => ({
  userId: row.userId,
  name: row.name,
  role: row.role,
  organisationRole: row.organisationRole,
  version: row.version,
});

export const memberRequest = z
  .object({ role })
  .openapi("SetProjectMember", { example: { role: "DEVELOPER" } });
